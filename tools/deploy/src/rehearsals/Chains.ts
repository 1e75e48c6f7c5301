import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeployError } from '../DeployError.ts'
import { ROOT } from '../Repository.ts'
import * as Program from './Program.ts'
import * as Steps from './Steps.ts'

interface Chain {
  /** Program that serves a node whose chain grows to the number of blocks on its standard input. */
  readonly node: string
  /** Command of a service that follows the node and serves what it has stored. */
  readonly service: (nodeUrl: string) => readonly string[]
  /** Matches the line with the URL of the service. */
  readonly ready: RegExp
  /** Path of the newest block, or of the method that returns its height. */
  readonly newest: string
  readonly method?: string
  /** Folder with the migrations of its tables. */
  readonly migrations: string
  /** Flags of `firn doctor`. */
  readonly doctor: readonly string[]
  /** SQL that returns the heights that are stored. */
  readonly cursor: string
  /** Number of blocks of the whole chain, and the heights when all are stored. */
  readonly blocks: number
  readonly last: string
}

const DATA_API = ['--port', '0', '--no-rate-limits', '--log-level', 'warn']
const DATA_API_READY = /^Data API +(http:\S+)/

/** The network that both services of the Primary Network follow. */
const PRIMARY = {
  node: 'tools/cli/src/testing/growingNode.ts',
  migrations: 'packages/store/src/migrations/primary',
  doctor: ['--network-id', 'local', '--replay', '--digests'],
  cursor: `select string_agg(height::text, '.' order by chain) from primary_12345.cursor`,
  blocks: 203,
  last: '83.85.35',
} as const

/** The chains that rehearsals index: the Primary Network's, once for each service, and an EVM chain. */
export const CHAINS = {
  primary: {
    ...PRIMARY,
    service: (nodeUrl) => ['data-api', '--upstream', nodeUrl, '--poll-interval', '100', ...DATA_API],
    ready: DATA_API_READY,
    newest: '/v1/networks/local/blockchains/p-chain/blocks?pageSize=1',
  },
  node: {
    ...PRIMARY,
    service: (nodeUrl) => ['node', '--upstream', nodeUrl, '--poll-interval', '100', '--http-port', '0'],
    ready: /^node API +(http:\S+)/,
    newest: '/ext/bc/P',
    method: 'platform.getHeight',
  },
  evm: {
    node: 'services/indexer/src/testing/growingEvmNode.ts',
    migrations: 'packages/evm-store/src/migrations/evm',
    service: (nodeUrl) => ['evm', '--chain', `31337=${nodeUrl}`, '--gateway-port', '0', ...DATA_API],
    ready: DATA_API_READY,
    newest: '/v1/chains/31337/blocks?pageSize=1',
    doctor: ['--chain-id', '31337', '--digests'],
    cursor: 'select height from evm_31337.cursor',
    blocks: 400,
    last: '399',
  },
} as const satisfies Readonly<Record<string, Chain>>

/** Name of a chain. */
export type Name = keyof typeof CHAINS

/** The chains of rehearsals that need each chain only once. */
export const NAMES: readonly Name[] = ['primary', 'evm']
/** All chains, with each service. */
export const ALL_NAMES: readonly Name[] = ['primary', 'node', 'evm']

/** Starts the node of a chain with some blocks. Its `found` is the URL. */
export const startNode = (name: Name, blocks: number): Promise<Program.Program> =>
  Program.start([...Steps.source(CHAINS[name].node), '0', String(blocks)], /^(http:\S+)/)

/** Starts a replica that follows and serves a chain, from a checkout. Its `found` is the URL. */
export const startReplica = async (
  name: Name,
  nodeUrl: string,
  databaseUrl: string,
  root = ROOT,
): Promise<Program.Program> => {
  const folder = mkdtempSync(join(tmpdir(), 'firn-replica-'))
  const { service, ready } = CHAINS[name]
  const program = await Program.start(
    [
      ...Steps.source('tools/cli/src/main.ts', root),
      ...service(nodeUrl),
      ...['--database-url', databaseUrl, '--data-dir', folder],
    ],
    ready,
  )
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const code = await program.end(signal)
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  return { ...program, end }
}

const PATIENCE_MS = 120_000

/** The answers with a height, of the Data API and of the node API. */
interface Newest {
  readonly blocks?: readonly { readonly blockNumber: string }[]
  readonly result?: { readonly height: string }
}

/** Returns the height that a service serves, or undefined if it fails. */
export const height = async (name: Name, url: string): Promise<number | undefined> => {
  const { newest, method }: Chain = CHAINS[name]
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
  }
  const request = { ...(method === undefined ? {} : post), signal: AbortSignal.timeout(20_000) }
  const response = await fetch(url + newest, request).catch(() => undefined)
  if (response?.status !== 200) return undefined
  const { blocks, result } = (await response.json().catch(() => ({}))) as Newest
  const number = blocks?.[0]?.blockNumber ?? result?.height
  return number === undefined ? undefined : Number(number)
}

/** Returns the stored heights. @throws DeployError `DEPLOY_STEP` if the database is unreachable */
export const stored = (name: Name, databaseUrl: string): Promise<string> =>
  Steps.run('psql', [
    '--no-psqlrc',
    '--tuples-only',
    '--no-align',
    '--command',
    CHAINS[name].cursor,
    databaseUrl,
  ])

/** Waits until the whole chain is stored. @throws DeployError `DEPLOY_STEP` after two minutes */
export const untilWhole = async (name: Name, databaseUrl: string): Promise<void> => {
  let found = ''
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    found = await stored(name, databaseUrl)
    if (found === CHAINS[name].last) return
  }
  throw new DeployError('DEPLOY_STEP', `${name}: expected heights ${CHAINS[name].last}, got ${found}`)
}

/** Returns what `firn doctor` prints about a chain, without the sizes of tables. @throws DeployError if it finds a fault */
export const examine = async (name: Name, databaseUrl: string): Promise<string> => {
  const text = await Steps.firn('doctor', ...CHAINS[name].doctor, '--database-url', databaseUrl)
  return text.replaceAll(/ +[\d.]+ [kMGT]?B$/gm, '')
}

/** Compares a database with an empty one that indexes the whole chain undisturbed. @throws DeployError if they differ */
export const assertWhole = async (
  name: Name,
  nodeUrl: string,
  databaseUrl: string,
  emptyUrl: string,
): Promise<void> => {
  await untilWhole(name, databaseUrl)
  const calm = await startReplica(name, nodeUrl, emptyUrl)
  try {
    await untilWhole(name, emptyUrl)
  } finally {
    await calm.end('SIGTERM')
  }
  Steps.assertEqual(
    `the database of ${name}`,
    await examine(name, emptyUrl),
    await examine(name, databaseUrl),
  )
}
