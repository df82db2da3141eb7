// Plays so many moves in each of some matches at once; each waits for the answer to the one before.
const { randomUUID } = require("crypto");
const { io } = require("socket.io-client");

const [, , port, clients, moves] = process.argv;
const url = `http://127.0.0.1:${port}`;

// A match begins when somebody asks for one that is not there.
async function play() {
  const match = randomUUID();
  const socket = io(`${url}/march`, { transports: ["websocket"] });
  const heard = (event) => new Promise((done) => socket.once(event, (...args) => done(args)));
  await heard("connect");
  const synced = heard("sync");
  socket.emit("sync", match, "0", undefined, 2);
  let state = (await synced)[1].state._stateID;
  return async () => {
    for (let number = 0; number < moves; number += 1) {
      const args = number % 2 ? [50, 30] : [30, 50];
      const payload = { type: "go", args, playerID: "0" };
      const answered = heard("update");
      socket.emit("update", { type: "MAKE_MOVE", payload }, state, match, "0");
      state = (await answered)[1]._stateID;
    }
    socket.close();
  };
}

(async () => {
  const matches = await Promise.all(Array.from({ length: Number(clients) }, play));
  const start = process.hrtime.bigint();
  await Promise.all(matches.map((match) => match()));
  console.log(Number(process.hrtime.bigint() - start) / 1e9);
})();
