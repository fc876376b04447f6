/** A believable long conversation: the move of a database. Pairs of question and answer that repeat with the number. */
const pairs: readonly (readonly [string, string])[] = [
  [
    'We want to move `orders` from Postgres 13 to 16. It holds 1.4 TB. Writes may stop for ten minutes at most.',
    'Then `pg_upgrade` in place is out, and so is a dump. Logical replication copies while 13 goes on serving:\n\n1. **Schema** first, with indexes built after the copy.\n2. **Copy** table by table; `orders` alone takes about nine hours.\n3. **Drain** in a window with writes stopped.\n\nThe stop is as long as the drain, a minute or two.',
  ],
  [
    'Only Sunday 02:00 to 04:00 is free. Never during the March stock count.',
    'Noted: **only Sunday 02:00 to 04:00**, never during the March stock count. I keep both in the runbook, at the top.',
  ],
  [
    'How large does the WAL get while the copy runs?',
    "At your write rate of 380 MB/min, a slot that stands still for nine hours holds back about 205 GB. Watch it:\n\n```sql\nSELECT slot_name,\n       pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS held\nFROM   pg_replication_slots\nWHERE  slot_name = 'orders_to_16';\n```\n\nSet `max_slot_wal_keep_size` to 300 GB, so that a forgotten slot cannot fill the disk.",
  ],
  [
    'Which tables have no primary key? They need `REPLICA IDENTITY` before we subscribe.',
    'Three: `audit_raw`, `import_staging` and `price_history_2019`. The first two take `REPLICA IDENTITY FULL`; the third has a unique index that will do.',
  ],
  [
    'Does the lag formula hold when the subscriber is slower than the publisher?',
    'Yes. With a write rate $w$ and an apply rate $a$, lag after a time $t$ is\n\n$$\n\\mathrm{lag}(t) = \\max\\left(0,\\ (w - a)\\,t\\right)\n$$\n\nand it only drains while $a > w$. In the dry run $a$ was 610 MB/min.',
  ],
  [
    'Write the check as a small script, please. Exit code 1 if the lag is over 4 seconds.',
    'Here it is; it reads the address from `PGHOST`:\n\n```python\nimport sys\nimport psycopg\n\nLIMIT_S = 4.0\n\n\ndef lag_seconds(conn) -> float:\n    """Seconds between the newest commit there and the newest one applied here."""\n    row = conn.execute(\n        "SELECT EXTRACT(EPOCH FROM now() - pg_last_xact_replay_timestamp())"\n    ).fetchone()\n    return float(row[0] or 0)\n\n\nwith psycopg.connect() as conn:\n    lag = lag_seconds(conn)\n    print(f"lag {lag:.1f} s")\n    sys.exit(1 if lag > LIMIT_S else 0)\n```\n\n> Run it from a machine that is neither of the two, or the clocks agree by accident.',
  ],
  [
    'Card data must stay in the Frankfurt region. Does the backup bucket?',
    'The bucket `orders-base-backups` is in `eu-central-1`, which is Frankfurt. The *replica* of it is not: it copies to `eu-west-1`. Turn that rule off, or filter `cards/`.',
  ],
  [
    'Good. Put the margin at ten thousand and note why.',
    'Done: sequences are set with a margin of 10,000, because late writers on 13 may still take numbers between the reading and the switch.',
  ],
];

export const mockupQuestion =
  'Dry run on staging is through. The first inserts after the switch hit duplicate keys in `orders` and `order_items`. What did we miss, and how does it go into the runbook?';
export const mockupAnswer = `The copy is fine. Logical replication carries rows, **not sequence positions**. Run this on the old primary once writes have stopped, and its output on the new one:

\`\`\`sql
SELECT format('SELECT setval(%L, %s, true);',
              format('%I.%I', schemaname, sequencename),
              last_value + 10000)            -- margin for late writers
FROM   pg_sequences
WHERE  last_value IS NOT NULL;
\`\`\`

For the runbook, four steps, each with one check and one way back:

| Step | Start | Go on when | Way back |
| --- | ---: | --- | --- |
| Stop writes on 13 | 02:00 | write rate is 0 for 60 s | reopen 13 |
| Drain to the last LSN | 02:02 | replay has reached \`3A1/7C4E9F28\` | reopen 13 |
| Set sequences on 16 | 02:06 | 48 of 48 are ahead | reopen 13 |
| Reverse the replication | 02:08 | lag is under 1 s | switch back, no loss |

Up to step 4, going back costs nothing.`;

/** The text of one message of a conversation of `last` messages: odd numbers ask, even ones answer. */
export function fixtureText(seq: number, last: number): string {
  if (seq === last - 1) return mockupQuestion;
  if (seq === last) return mockupAnswer;
  const pair = pairs[Math.floor((seq - 1) / 2) % pairs.length];
  return pair?.[(seq - 1) % 2] ?? '';
}
