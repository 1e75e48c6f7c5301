import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { TestPostgres } from '@firn/sql/testing'
import { temporaryFolder } from '../../testing/archives.ts'
import { cpuSeconds, databaseSeconds } from '../../testing/processorTime.ts'

/** Number of blocks to sync. */
const BLOCKS = Number(process.env['FIRN_BENCH_BLOCKS'] ?? 20_000)
/** Databases and chains to measure, such as `PGlite` and `made-up`. */
const DATABASES = (process.env['FIRN_BENCH_DATABASES'] ?? 'PostgreSQL,PGlite').split(',')
const CHAINS = (process.env['FIRN_BENCH_CHAINS'] ?? 'made-up,transfers').split(',')
const CHAIN_NAMES: Readonly<Record<string, string>> = {
  'made-up': 'made-up blocks of about 150 bytes without signatures',
  transfers: 'containers of about 1 kB with a signature and one transaction of two inputs and two outputs',
}
/** Options of Node.js for the process that syncs, such as `--cpu-prof`. */
const NODE_OPTIONS = (process.env['FIRN_BENCH_NODE_OPTIONS'] ?? '')
  .split(' ')
  .filter((option) => option !== '')

interface Measured {
  readonly phase: string
  readonly blocks: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly stages: Readonly<Record<string, number>>
  readonly delayMs: number
  readonly peakMiB: number
}

/** Processor seconds of the other processes. */
interface Others {
  readonly peers: number
  readonly database: number
}

/**
 * Measures a sync from five peers: fetching, then applying and writing. The peers, the sync and the server are separate
 * processes on the same machine, so their processor times are printed separately.
 */
export async function report(print: (text: string) => void): Promise<void> {
  const reason = TestPostgres.missing()
  for (const chain of CHAINS) {
    print(`${BLOCKS} P-chain blocks from five peers in one process: ${CHAIN_NAMES[chain]}`)
    const peers = await startPeers(chain)
    try {
      for (const database of DATABASES) {
        if (database === 'PGlite') await onPGlite(peers, chain, print)
        else if (reason === undefined) await onPostgres(peers, chain, print)
        else print(`PostgreSQL: ${reason}`)
      }
    } finally {
      peers.child.kill()
    }
  }
}

interface Peers {
  readonly child: ChildProcess
  readonly ids: string
  readonly ips: string
}

async function startPeers(chain: string): Promise<Peers> {
  const child = start('peersChild.ts', [chain, `${BLOCKS}`], [])
  for await (const line of linesOf(child)) return { child, ...JSON.parse(line) }
  throw new Error('the peers ended before they were ready')
}

async function onPostgres(peers: Peers, chain: string, print: (text: string) => void): Promise<void> {
  const server = await TestPostgres.startForBench(['shared_buffers=512MB', 'max_wal_size=4GB'])
  try {
    await sync(peers, chain, 'PostgreSQL', server.url, print)
  } finally {
    await server.close()
  }
}

async function onPGlite(peers: Peers, chain: string, print: (text: string) => void): Promise<void> {
  const { folder, remove } = temporaryFolder()
  try {
    await sync(peers, chain, 'PGlite', join(folder, 'db'), print)
  } finally {
    remove()
  }
}

async function sync(
  { child, ids, ips }: Peers,
  chain: string,
  database: string,
  place: string,
  print: (text: string) => void,
): Promise<void> {
  const others = (): Others => ({ peers: cpuSeconds(child.pid ?? 0), database: databaseSeconds() })
  let before = others()
  for await (const line of linesOf(start('syncChild.ts', [chain, place, 'bench', ids, ips], NODE_OPTIONS))) {
    const after = others()
    print(`  ${database}, ${format(JSON.parse(line), before, after)}`)
    before = after
  }
}

function start(file: string, args: readonly string[], options: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`../../testing/${file}`, import.meta.url))
  return spawn(process.execPath, ['--conditions=source', ...options, path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function linesOf({ stdout }: ChildProcess): AsyncIterable<string> {
  if (stdout === null) throw new TypeError('expected a piped output')
  return createInterface({ input: stdout })
}

function format(measured: Measured, before: Others, after: Others): string {
  const { phase, blocks, seconds, cpuSeconds: own, stages, delayMs, peakMiB } = measured
  const each = (time: number) => ((time * 1e6) / blocks).toFixed(0)
  const parts = Object.entries(stages).map(([stage, time]) => `${stage} ${each(time)}`)
  return [
    `${phase}: ${(blocks / seconds).toFixed(0)} blocks/s`,
    `processor time per block in µs: ${each(own)}, peers ${each(after.peers - before.peers)}, server ${each(after.database - before.database)}`,
    ...(parts.length > 0 ? [`stages in µs: ${parts.join(', ')}`] : []),
    `p99 loop delay ${delayMs.toFixed(0)} ms`,
    `peak memory ${peakMiB} MiB`,
  ].join('; ')
}
