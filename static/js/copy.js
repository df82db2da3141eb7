// Buttons that copy the value of a field, as in templates/_copy.html.

async function copy(field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  // Without https there is no clipboard but this older way.
  field.select();
  if (!document.execCommand("copy")) throw new Error("The browser refuses to copy.");
}

for (const row of document.querySelectorAll("[data-copy]")) {
  const status = row.querySelector('[role="status"]');
  row.hidden = false;
  row.querySelector("button").addEventListener("click", () => {
    const field = document.getElementById(row.dataset.copy);
    copy(field).then(
      () => { status.textContent = status.dataset.done; },
      () => { field.select(); status.textContent = status.dataset.failed; },
    );
  });
}
