import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { CHAIN_ALIASES, type ChainAlias, Json, NodeId } from '@firn/codec'
import { createArchiveSource, createIndexer, GenesisFiles, type Indexer } from '@firn/indexer'
import { createConfiguration, createLoggers, createNode } from '@firn/node'
import { createIssuer } from '@firn/node-api'
import type { Store } from '@firn/store'
import { openStore } from '@firn/store/testing'
import { ConformanceError } from '../ConformanceError.ts'
import * as Outcome from '../Outcome.ts'
import type { FileReport, Report } from '../Report.ts'
import * as HttpCall from './HttpCall.ts'

/** Name of the file with refused transactions, beside the folder of the archive. */
export const FILE = 'refusals.jsonl.gz'

/** A transaction that a node refused, and its JSON-RPC error. */
interface Refused {
  readonly name: string
  readonly variant: string
  readonly chain: ChainAlias
  /** The signed transaction in hexadecimal with a checksum. */
  readonly tx: string
  readonly error: Json.Json
}

/** Share of the texts of each chain that must be equal. */
const LEAST = 0.99
/** Seconds between the last block of the P-chain and the recording. */
const LATER = 30n

const ROUTES: Readonly<Record<ChainAlias, { readonly path: string; readonly method: string }>> = {
  P: { path: '/ext/bc/P', method: 'platform.issueTx' },
  X: { path: '/ext/bc/X', method: 'avm.issueTx' },
  C: { path: '/ext/bc/C/avax', method: 'avax.issueTx' },
}

/**
 * Issues each refused transaction to the node API, whose chains are in the state of the archive at the recording's time.
 * Compares the errors, and fails a chain of which less than 99 % are equal.
 * @throws IndexerError, StoreError or LedgerError if the archive cannot be indexed
 */
export async function replay(folder: string): Promise<Report> {
  const refused = await read(join(folder, FILE))
  const scratch = await mkdtemp(join(tmpdir(), 'firn-refusals-'))
  try {
    await unpack(join(folder, 'archive'), join(scratch, 'archive'))
    const errors = await withNodeApi(scratch, (port) => issueAll(port, refused))
    const files = CHAIN_ALIASES.map((chain) => reportOf(chain, refused, errors))
    return { files, notYetSupported: [], unknown: [], leftOut: [] }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function read(path: string): Promise<readonly Refused[]> {
  const lines = gunzipSync(await readFile(path))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => Json.parse(line) as unknown as Refused)
}

/** Copies an archive and unpacks its blocks. */
async function unpack(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: 0 })
  for (const name of await readdir(to, { recursive: true })) {
    if (!name.endsWith('.gz')) continue
    await writeFile(join(to, name.slice(0, -3)), gunzipSync(await readFile(join(from, name))))
  }
}

/** Indexes the archive, and calls `work` with the port of a node API that issues transactions to nobody. */
async function withNodeApi<T>(scratch: string, work: (port: number) => Promise<T>): Promise<T> {
  const archive = join(scratch, 'archive')
  const rules = await GenesisFiles.load({ archive, now: 0n })
  const store = await openStore()
  const stop = new AbortController()
  // The state stays in memory only while the indexer waits for further blocks.
  const source = { ...createArchiveSource(archive), isFixed: false }
  const time = { ms: Date.now() }
  const clock = {
    now: () => time.ms,
    sleep: (ms: number, signal?: AbortSignal) => setTimeout(ms, undefined, { signal }),
  }
  const indexer = createIndexer({ store, source, ...rules, checkSignatures: false, clock })
  const running = indexer.run(stop.signal)
  try {
    await Promise.race([untilTip(indexer), running])
    time.ms = Number(((await store.snapshot()).P.time + LATER) * 1000n)
    return await serve(scratch, store, indexer, clock.now, work)
  } finally {
    stop.abort()
    await running
    await source.close()
    await store.close()
  }
}

async function untilTip(indexer: Indexer): Promise<void> {
  while (indexer.status().phase !== 'tip') await setTimeout(20)
}

async function serve<T>(
  scratch: string,
  store: Store,
  indexer: Indexer,
  now: () => number,
  work: (port: number) => Promise<T>,
): Promise<T> {
  const loggers = createLoggers({ folder: scratch, display: { write: () => undefined }, now })
  const issuer = createIssuer({
    verify: (chain, bytes) => indexer.verify(chain, bytes),
    push: () => 0,
    isAccepted: async () => false,
  })
  const identity = {
    nodeId: NodeId.EMPTY,
    publicKey: new Uint8Array(48),
    proofOfPossession: new Uint8Array(96),
  }
  const configuration = createConfiguration({ dataDir: scratch, httpPort: 0 })
  const service = await createNode({ configuration, store, identity, loggers, issuer, now })
  try {
    return await work(Number(new URL(await service.listen()).port))
  } finally {
    await service.close()
    await issuer.close()
    loggers.close()
  }
}

async function issueAll(port: number, refused: readonly Refused[]): Promise<readonly Json.Json[]> {
  const caller = HttpCall.create(port)
  const errors: Json.Json[] = []
  try {
    for (const { chain, tx } of refused) {
      const { path, method } = ROUTES[chain]
      const body = Json.stringify({ jsonrpc: '2.0', id: 1, method, params: { tx, encoding: 'hex' } })
      const headers = { 'Content-Type': 'application/json' }
      const answer = await caller.call({ httpMethod: 'POST', path, headers, body })
      const { error } = Json.parse(answer.body) as { readonly error?: Json.Json }
      errors.push(error ?? answer.body)
    }
  } finally {
    caller.close()
  }
  return errors
}

function reportOf(chain: ChainAlias, refused: readonly Refused[], errors: readonly Json.Json[]): FileReport {
  const compared = refused.flatMap((one, i) => {
    if (one.chain !== chain) return []
    const [expected, actual] = [Json.stringify(one.error), Json.stringify(errors[i] ?? null)]
    return [{ name: `${one.name}, ${one.variant}`, expected, actual, isEqual: expected === actual }]
  })
  if (compared.length === 0) {
    throw new ConformanceError(
      'CONFORMANCE_CASE',
      `expected refused transactions of the ${chain}-chain, got none`,
    )
  }
  const share = compared.filter(({ isEqual }) => isEqual).length / compared.length
  const results = compared.map(({ name, expected, actual, isEqual }) => {
    if (isEqual) return { name, outcome: Outcome.PASSED }
    const isTolerated = share >= LEAST
    const reason = `another text, in less than 1 % of the cases: ${messageOf(expected)}`
    return {
      name,
      outcome: isTolerated ? Outcome.skipped(reason) : Outcome.failed('error', expected, actual),
    }
  })
  return { file: `${chain}-chain`, results }
}

/** Returns the end of an error's message, which says what is wrong. */
function messageOf(error: string): string {
  const { message } = Json.parse(error) as { readonly message?: string }
  return String(message).split(': ').at(-1) ?? ''
}
