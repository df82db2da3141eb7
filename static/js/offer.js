// The offer form: shows the switches of the chosen game alone, and says what "As in the edition" stands for.

const editions = JSON.parse(document.getElementById("editions").textContent);
const usual = new Map([...document.querySelectorAll('.switches input[type="radio"][value=""]')]
  .map((radio) => [radio.name, radio.closest("label").querySelector("strong")]));
const words = usual.values().next().value.textContent;

function follow() {
  const chosen = editions[document.querySelector('input[name="preset"]:checked')?.value];
  for (const group of document.querySelectorAll(".switches")) {
    group.hidden = chosen !== undefined && group.dataset.game !== chosen.game;
    group.querySelector("fieldset").disabled = group.hidden;
  }
  if (chosen === undefined) return;
  for (const [name, sentence] of Object.entries(chosen.says)) {
    const label = usual.get(name);
    if (label) label.textContent = `${words}: ${sentence}`;
  }
  for (const [name, number] of Object.entries(chosen.numbers)) document.querySelector(`input[name="${name}"]`).placeholder = number;
}

document.addEventListener("change", (event) => { if (event.target.name === "preset") follow(); });
follow();
