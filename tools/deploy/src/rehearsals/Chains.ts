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
  /** Path of the newest block. */
  readonly newest: string
  /** Flags of `firn doctor`. */
  readonly doctor: readonly string[]
  /** SQL that returns the heights that are stored. */
  readonly cursor: string
  /** Number of blocks of the whole chain, and the heights when all are stored. */
  readonly blocks: number
  readonly last: string
}

/** The chains that rehearsals index: one of the Primary Network's, and an EVM chain. */
export const CHAINS = {
  primary: {
    node: 'tools/cli/src/testing/growingNode.ts',
    service: (nodeUrl) => ['data-api', '--upstream', nodeUrl, '--poll-interval', '100'],
    newest: '/v1/networks/local/blockchains/p-chain/blocks?pageSize=1',
    doctor: ['--network-id', 'local', '--replay', '--digests'],
    cursor: `select string_agg(height::text, '.' order by chain) from primary_12345.cursor`,
    blocks: 203,
    last: '83.85.35',
  },
  evm: {
    node: 'services/indexer/src/testing/growingEvmNode.ts',
    service: (nodeUrl) => ['evm', '--chain', `31337=${nodeUrl}`, '--gateway-port', '0'],
    newest: '/v1/chains/31337/blocks?pageSize=1',
    doctor: ['--chain-id', '31337', '--digests'],
    cursor: 'select height from evm_31337.cursor',
    blocks: 400,
    last: '399',
  },
} as const satisfies Readonly<Record<string, Chain>>

/** Name of a chain. */
export type Name = keyof typeof CHAINS

/** All names. */
export const NAMES = Object.keys(CHAINS) as readonly Name[]

/** Starts the node of a chain with some blocks. Its `found` is the URL. */
export const startNode = (name: Name, blocks: number): Promise<Program.Program> =>
  Program.start([...Steps.source(CHAINS[name].node), '0', String(blocks)], /^(http:\S+)/)

/** Starts a replica that follows and serves a chain, from a checkout. Its `found` is the URL. */
export const startReplica = (
  name: Name,
  nodeUrl: string,
  databaseUrl: string,
  root = ROOT,
): Promise<Program.Program> =>
  Program.start(
    [
      ...Steps.source('tools/cli/src/main.ts', root),
      ...CHAINS[name].service(nodeUrl),
      ...['--database-url', databaseUrl, '--port', '0', '--no-rate-limits', '--log-level', 'warn'],
    ],
    /^Data API +(http:\S+)/,
  )

const PATIENCE_MS = 120_000

/** Returns the height that a service serves, or undefined if it fails. */
export const height = async (name: Name, url: string): Promise<number | undefined> => {
  const signal = AbortSignal.timeout(20_000)
  const response = await fetch(url + CHAINS[name].newest, { signal }).catch(() => undefined)
  if (response?.status !== 200) return undefined
  const body = (await response.json().catch(() => ({}))) as { blocks?: readonly { blockNumber: string }[] }
  const number = body.blocks?.[0]?.blockNumber
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
