import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TestPostgres } from '@firn/sql/testing'
import { DeployError } from '../DeployError.ts'
import { ROOT } from '../Repository.ts'
import { assertEqual, firn, type Print, run } from './Steps.ts'

/** Writes the archive of the recorded local network into a folder. */
const writeArchive = (folder: string): void => {
  const recording = join(ROOT, 'services/indexer/vectors/local.json.gz')
  const { files } = JSON.parse(gunzipSync(readFileSync(recording)).toString()) as {
    files: Record<string, string>
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Returns what `firn doctor` prints about a database, after it has replayed all blocks and compared every table. */
const examine = (database: readonly string[]): Promise<string> =>
  firn('doctor', '--network-id', 'local', '--replay', '--digests', ...database)

/**
 * Backs up and restores the database of a recorded network: on PostgreSQL with `pg_dump` and `pg_restore`, and on the
 * embedded database as a copy of its folder. Compares the results of `firn doctor`, which replays all blocks.
 */
export async function rehearse(print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-backup-'))
  const server = await TestPostgres.start()
  try {
    const archive = join(folder, 'archive')
    writeArchive(archive)

    const original = await TestPostgres.createDatabase(server.url, 'original')
    await firn('index', '--from', archive, '--database-url', original)
    const healthy = await examine(['--database-url', original])
    print(healthy)
    const dump = join(folder, 'firn.dump')
    await run('pg_dump', ['--format=custom', `--file=${dump}`, original])
    const restored = await TestPostgres.createDatabase(server.url, 'restored')
    await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${restored}`, dump])
    assertEqual('the restored database', healthy, await examine(['--database-url', restored]))
    print('PostgreSQL: the restored database is equal')

    // A damaged copy must be noticed.
    await run('psql', ['--quiet', '--command=delete from primary_12345.block where height = 40', restored])
    const damaged = await examine(['--database-url', restored]).catch((error: Error) => error.message)
    if (damaged === healthy)
      throw new DeployError('DEPLOY_STEP', 'firn doctor did not notice a deleted block')
    print('PostgreSQL: firn doctor notices a deleted block')

    const data = join(folder, 'data')
    await firn('index', '--from', archive, '--data-dir', data)
    const copy = join(folder, 'copy')
    cpSync(data, copy, { recursive: true })
    assertEqual('the copied folder', await examine(['--data-dir', data]), await examine(['--data-dir', copy]))
    print('embedded database: the copy is equal')
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
