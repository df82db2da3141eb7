// The offer form: shows the switches of the chosen game alone, and says what "Default" stands for.

const editions = JSON.parse(document.getElementById("editions").textContent);
const groups = [...document.querySelectorAll(".switches")];
const usual = [...document.querySelectorAll('.switches input[type="radio"][value=""]')]
  .map((radio) => ({ radio, words: words(radio), prefix: words(radio).textContent }));

function words(radio) {
  return radio.closest("label").querySelector("span");
}

function follow() {
  const chosen = editions[document.querySelector('input[name="preset"]:checked')?.value];
  if (!chosen) return;
  for (const group of groups) {
    group.hidden = group.dataset.game !== chosen.game;
    group.querySelector("fieldset").disabled = group.hidden;
  }
  for (const { radio, words: own, prefix } of usual) {
    const sentence = chosen.says[radio.name];
    if (!sentence) continue;
    own.textContent = `${prefix}: ${sentence}`;
    // What the edition says needs no second button, unless it is the chosen one.
    for (const other of radio.closest("fieldset").querySelectorAll('input:not([value=""])')) {
      other.closest("label").hidden = !other.checked && words(other).textContent === sentence;
    }
  }
  for (const [name, number] of Object.entries(chosen.numbers)) {
    document.querySelector(`input[name="${name}"]`).placeholder = number;
  }
}

document.addEventListener("change", (event) => { if (event.target.name === "preset") follow(); });
follow();
