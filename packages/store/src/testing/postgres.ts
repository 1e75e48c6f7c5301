import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { accessSync, chownSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** Who runs the server where we are root, which it refuses to run as. */
const NOBODY = 65_534
/** Milliseconds that a server may take to start, and between two looks. */
const PATIENCE = 30_000
const LOOK = 50

/** Why there is no PostgreSQL for tests; undefined where there is one. */
export function missing(): string | undefined {
  if (process.env['FIRN_TEST_DATABASE_URL'] !== undefined) return undefined
  const absent = ['initdb', 'postgres'].filter((name) => find(name) === undefined)
  if (absent.length === 0) return undefined
  return `neither FIRN_TEST_DATABASE_URL nor ${absent.join(' and ')} on the path`
}

function find(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((file) => isExecutable(file))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A server that was started for tests. */
export interface Server {
  readonly url: string
  /** Ends it at once, as if its machine had failed, and starts it again on what it has on disk, after `downMs` if given. */
  readonly restart: (downMs?: number) => Promise<void>
  readonly close: () => Promise<void>
}

let shared: Promise<string> | undefined

/** The URL of a server for tests: `FIRN_TEST_DATABASE_URL`, or one that is started once in a process and ends with it. */
export function url(): Promise<string> {
  shared ??= (async () => process.env['FIRN_TEST_DATABASE_URL'] ?? (await start()).url)()
  return shared
}

/** Starts a server on a new cluster in a temporary folder, on a Unix socket there. `settings` are server settings such as `fsync=off`. */
export async function start(settings: readonly string[] = ['fsync=off']): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const data = join(folder, 'data')
  await promisify(execFile)('initdb', ['-D', data, '-U', 'firn', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...account,
    cwd: folder,
  })
  const flags = ['-D', data, '-k', folder, '-c', 'listen_addresses=']
  const all = [...flags, ...settings.flatMap((setting) => ['-c', setting])]
  const run = () => {
    const stdio = ['pipe', 'ignore', 'ignore'] as const
    const keeper = spawn('sh', ['-c', KEEPER, 'sh', folder, ...all], {
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
    async restart(downMs = 0) {
      await end(server, 'QUIT')
      await setTimeout(downMs)
      server = run()
      await untilReady(url)
    },
    async close() {
      await end(server, 'INT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Runs a server until its standard input says by which signal it ends. Where nobody says so, because the process that started it
 * is gone, be it killed, the server goes too, and its folder.
 */
const KEEPER = `folder=$1; shift
postgres "$@" & server=$!
read -r signal || orphan=yes
kill -"\${signal:-QUIT}" $server
wait $server
[ -z "$orphan" ] || rm -rf "$folder"`

async function end(keeper: ChildProcess, signal: string): Promise<void> {
  const ended = new Promise<void>((resolve) => void keeper.once('exit', () => resolve()))
  keeper.ref()
  keeper.stdin?.end(`${signal}\n`)
  await ended
}

async function untilReady(url: string): Promise<void> {
  for (let waited = 0; ; waited += LOOK) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (waited >= PATIENCE) throw error
      await setTimeout(LOOK)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
