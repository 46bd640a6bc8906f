/** For people with a SQL shell: what a governed project writes into the log, in words that SQLite and PostgreSQL share. */
export const LOG_VIEWS = [
  `CREATE VIEW agent_actions AS SELECT number, entry ->> 'at' AS at, entry ->> 'agent' AS agent, entry ->> 'tier' AS tier,
    entry ->> 'attested' AS attested, entry ->> 'action' AS action, entry ->> 'trail' AS trail, entry ->> 'checkpoint' AS checkpoint,
    entry ->> 'approval' AS approval FROM log WHERE entry ->> 'type' = 'action'`,
  `CREATE VIEW violations AS SELECT number, entry ->> 'at' AS at, entry ->> 'agent' AS agent, entry ->> 'rule' AS rule,
    entry ->> 'what' AS what, entry ->> 'action' AS action FROM log WHERE entry ->> 'type' = 'violation'`,
  `CREATE VIEW promotions AS SELECT number, entry ->> 'at' AS at, entry ->> 'type' AS type, entry ->> 'agent' AS agent,
    entry ->> 'from' AS "from", entry ->> 'to' AS "to", entry ->> 'by' AS by FROM log
    WHERE entry ->> 'type' IN ('promotion', 'demotion', 'revocation', 'restoration')`,
  `CREATE VIEW tasks AS SELECT number, entry ->> 'at' AS at, entry ->> 'agent' AS agent, entry ->> 'trail' AS trail,
    entry ->> 'task' AS task, entry ->> 'status' AS status, entry ->> 'subject' AS subject FROM log
    WHERE entry ->> 'type' = 'task'`,
] as const;
