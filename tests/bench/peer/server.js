// A game on boardgame.io and PostgreSQL: a piece goes from one of a hundred squares to another.
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");
const { PostgresStore } = require("bgio-postgres");

const march = {
  name: "march",
  setup: () => ({ squares: Array.from({ length: 100 }, (_, at) => (at < 40 ? "S" : null)) }),
  moves: {
    go: ({ G }, from, to) => {
      if (!G.squares[from] || G.squares[to]) return INVALID_MOVE;
      G.squares[to] = G.squares[from];
      G.squares[from] = null;
    },
  },
};

const [, , port, database] = process.argv;
const db = new PostgresStore(database, { logging: false });
Server({ games: [march], db, origins: ["*"] }).run(Number(port), () => console.log("ready"));
