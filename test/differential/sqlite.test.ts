/** SQLite in WAL mode: shared memory, locks and fsync by several processes at once. */
import { succeed } from '../support/exec.ts';
import { differential } from './differential.ts';

// Which writer comes first is up to the scheduler, so the pages of the file differ; the rows do not.
differential({
  title: 'SQLite in WAL mode with three writers and three readers',
  script: `sqlite3 wal.db 'pragma journal_mode=wal; create table t (writer, n, text, primary key (writer, n));'
    for w in 1 2 3; do
      (for n in $(seq 40); do echo "insert into t values ($w, $n, hex(zeroblob(300)));"; done | sqlite3 -cmd '.timeout 20000' wal.db) &
      (for n in $(seq 8); do sqlite3 -readonly -cmd '.timeout 20000' wal.db 'select count(*) >= 0, min(length(text)) from t' > /dev/null; done) &
    done; wait
    sqlite3 wal.db 'pragma integrity_check; select writer, count(*), sum(n) from t group by writer; pragma wal_checkpoint(truncate);'
    sqlite3 wal.db 'select * from t order by 1, 2' | sha1sum; ls`,
  needs: ['sqlite3'],
  skip: ['^wal\\.db'],
  timeout: 60_000,
});

differential({
  title: 'SQLite with a rollback journal, vacuum and a database of the base',
  script: `for m in delete truncate persist; do
      { echo "pragma journal_mode=$m; begin;"; for n in $(seq 300); do echo "insert into t values ($n, '$m', hex(zeroblob(100)));"; done; echo 'commit;'; } | sqlite3 base.db
    done
    sqlite3 base.db "delete from t where n % 3 = 0; vacuum; pragma integrity_check; select count(*) from t;"
    sqlite3 base.db 'begin; delete from t; rollback; select count(*) from t;'; rm -f base.db-journal`,
  needs: ['sqlite3'],
  seed: async (project) => {
    await succeed(
      [
        'bash',
        '-c',
        `command -v sqlite3 >/dev/null || exit 0; sqlite3 base.db "create table t (n, m, text); insert into t values (0, 'seed', '');"`,
      ],
      {
        cwd: project,
      },
    );
  },
  timeout: 60_000,
});
