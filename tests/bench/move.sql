-- What a move writes, and nothing else: the physical floor, run by pgbench.
\set match random(:first, :last)
BEGIN;
UPDATE play_match SET ply = ply + 1 WHERE id = :match AND status = 'running' RETURNING ply \gset
INSERT INTO play_ply (match_id, number, seat, kind, text, sealed, at, head) VALUES (:match, :ply, 0, 'move', 'a4-a5', decode(repeat('ab', 160), 'hex'), now(), decode(repeat('cd', 32), 'hex'));
UPDATE play_player SET to_act = false, since = NULL, deadline = NULL, check_at = NULL, clock_version = clock_version + 1 WHERE match_id = :match AND seat = :ply % 2;
UPDATE play_player SET to_act = true, since = now(), deadline = now() + interval '3 days', check_at = now() + interval '2 days', clock_version = clock_version + 1 WHERE match_id = :match AND seat = 1 - :ply % 2;
INSERT INTO outbox_dispatch (event, handler, user_id, ref, dedupe, created_at, not_before, attempts, error) VALUES ('turn-came', 'notify', :user, '{}', 'pgbench ' || :match || ' ' || :ply, now(), now(), 0, '') ON CONFLICT DO NOTHING;
DELETE FROM play_draft WHERE player_id = :match;
INSERT INTO outbox_storedresponse (user_id, key, digest, status, location, at) VALUES (:user, 'pgbench ' || :match || ' ' || :ply, decode(repeat('ef', 32), 'hex'), 302, '/match/1/', now()) ON CONFLICT DO NOTHING;
COMMIT;
