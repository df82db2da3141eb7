// The form of a new match: shows editions and rules of the chosen game alone, says what "Default" stands for,
// and leaves out the username where nobody is challenged.

const editions = JSON.parse(document.getElementById("editions").textContent);
const tiles = document.querySelector('.tiles:has([name="preset"])');
const more = document.getElementById("more");
const others = document.getElementById("editions-more");
const opponent = document.querySelector('input[name="opponent"]');
const conditions = document.getElementById("conditions");
const repeats = document.getElementById("repeats");
const rated = document.querySelector('input[name="rated"]');
const ratedAtFirst = rated.checked;
let ratedChosen = false;
const groups = [...document.querySelectorAll(".switches")];
const usual = [...document.querySelectorAll('.switches input[type="radio"][value=""]')]
  .map((radio) => ({ radio, words: words(radio), prefix: words(radio).textContent }));

function words(radio) {
  return radio.closest("label").querySelector("span");
}

function checked(name) {
  return document.querySelector(`input[name="${name}"]:checked`);
}

function followGame() {
  const chosen = editions[checked("preset")?.value];
  if (!chosen) return;
  for (const group of groups) {
    group.hidden = group.dataset.game !== chosen.game;
    group.querySelector("fieldset").disabled = group.hidden;
  }
  const cards = [...others.querySelectorAll("label")];
  for (const card of cards) card.hidden = card.dataset.game !== chosen.game;
  others.hidden = cards.every((card) => card.hidden);
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

function followKind() {
  const kind = checked("kind")?.value;
  const challenged = kind === "challenge";
  opponent.disabled = !challenged;
  opponent.required = challenged;
  // Whom one chooses may accept, and only an open seat is offered again.
  conditions.hidden = challenged || kind === "house";
  repeats.hidden = kind !== "seat";
  // Ticked by default, but not for private links; never against the computer.
  rated.disabled = kind === "house";
  if (!ratedChosen) rated.checked = ratedAtFirst && kind !== "link";
}

/** The chosen edition is in sight, also once what it was chosen from is folded. */
function followFold() {
  const card = checked("preset")?.closest("label");
  if (!more.open && card && !tiles.contains(card)) tiles.append(card);
}

document.addEventListener("change", (event) => {
  if (event.target.name === "preset") followGame();
  if (event.target === rated) ratedChosen = true;
  if (event.target.name === "kind") followKind();
});
more.addEventListener("toggle", followFold);
followGame();
followKind();
