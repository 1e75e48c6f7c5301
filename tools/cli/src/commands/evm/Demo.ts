import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDemo, type Demo, startLocalEvm } from '@firn/demo-chain'
import { CliError } from '../../CliError.ts'
import * as Progress from '../../Progress.ts'
import type { Terminal } from '../../Terminal.ts'
import * as Indexing from '../Indexing.ts'
import * as Evm from './Evm.ts'
import * as EvmServices from './EvmServices.ts'
import { freePort } from './freePort.ts'
import { type Example, showcase } from './Showcase.ts'

/** What `firn evm --demo` may be told. */
export type Options = Omit<Evm.Options, 'chain' | 'dataDir'> & {
  readonly evmPort: number
  /** End once every endpoint was shown. */
  readonly once: boolean
}

const CHAIN_ID = 4_242
const DAYS = 14
const BLOCKS_A_DAY = 6
const DAY = 86_400
const TAGS = ['EVM', 'Metrics', 'Usage']

/**
 * Starts a local EVM with two weeks of history, indexes it into an empty folder, serves it, and shows what each endpoint answers;
 * then goes on with a block a second until a signal.
 */
export const demo = async (options: Options, terminal: Terminal): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'firn-evm-'))
  const now = Math.floor(Date.now() / 1_000)
  const start = now - DAYS * DAY
  const port = options.evmPort === 0 ? await freePort() : options.evmPort
  const local = await Progress.during(terminal, 'starting a local EVM', () =>
    startLocalEvm({ port, chainId: CHAIN_ID, genesisTime: start - 60, signal: terminal.signal }),
  )
  try {
    const made = await Progress.during(terminal, `making ${DAYS} days of traffic`, () =>
      history(local.url, start, now - 60),
    )
    await show({ ...options, dataDir, chain: [], rateLimits: false }, local.url, made, terminal)
  } finally {
    await local.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const history = async (url: string, start: number, end: number): Promise<Demo> => {
  const made = await createDemo(url, start)
  const blocks = DAYS * BLOCKS_A_DAY
  for (let block = 1; block <= blocks; block++) {
    await made.block(start + Math.floor(((end - start) * block) / blocks))
  }
  return made
}

const show = async (
  options: Evm.Options & Options,
  evmUrl: string,
  made: Demo,
  terminal: Terminal,
): Promise<void> => {
  const about = {
    name: 'Demo chain',
    network: 'testnet',
    token: { name: 'Demo coin', symbol: 'COIN', decimals: 18 },
  } as const
  const chain = { chainId: BigInt(CHAIN_ID), urls: [evmUrl], about, firstHeight: undefined, links: undefined }
  await Evm.during(options, [chain], terminal, async ({ indexing, counted, url }) => {
    await Evm.untilCaughtUp(indexing, terminal)
    const stop = new AbortController()
    const traffic = keepGoing(made, `${counted.gateway.url}/rpc/${CHAIN_ID}`, stop.signal)
    try {
      terminal.print(`local EVM        ${evmUrl}  (chain id ${CHAIN_ID})`)
      terminal.print(`data API         ${url}  (/docs, /openapi.json, /health, /metrics)`)
      EvmServices.print(url, counted, [chain], terminal)
      terminal.print('')
      await showAll(url, made, counted, terminal)
      if (options.once) return
      terminal.print('It stays up, with a block a second; Ctrl-C stops it.')
      await Indexing.stay({ ended: Promise.race([indexing.ended, traffic]) }, terminal.signal)
    } finally {
      stop.abort()
      await traffic.catch(() => undefined)
    }
  })
}

/** A block a second, and clients that ask the gateway. */
const keepGoing = async (made: Demo, gatewayUrl: string, signal: AbortSignal): Promise<void> => {
  const methods = ['eth_blockNumber', 'eth_gasPrice', 'eth_chainId', 'eth_nonsense']
  for (let round = 0; !signal.aborted; round++) {
    await made.block()
    const body = JSON.stringify({ jsonrpc: '2.0', id: round, method: methods[round % 4], params: [] })
    const headers = { 'content-type': 'application/json' }
    await fetch(gatewayUrl, { method: 'POST', headers, body, signal }).catch(() => undefined)
    await sleep(1_000, undefined, { signal }).catch(() => undefined)
  }
}

/** How long the endpoints have until each shows something: metadata and usage come a little later than rows. */
const PATIENCE_MS = 30_000

const showAll = async (
  url: string,
  made: Demo,
  { gateway }: EvmServices.Counted,
  terminal: Terminal,
): Promise<void> => {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    await gateway.flush()
    const shown = await showcase(url, TAGS, await examples(url, made), terminal.signal)
    const empty = shown.filter(({ found }) => found === undefined)
    if (empty.length > 0 && performance.now() < until && !terminal.signal.aborted) {
      await sleep(500)
      continue
    }
    for (const { url: path, found } of shown) terminal.print(`${(found ?? 'NOTHING').padEnd(28)} ${path}`)
    terminal.print(`${shown.length - empty.length} of ${shown.length} endpoints show data`)
    if (empty.length > 0) throw new CliError('CLI_FINDINGS', `${empty.length} endpoints show no data`)
    return
  }
}

/** What stands for parameters: the demo's accounts and contracts, and its newest transaction. */
const examples = async (url: string, { accounts, contracts }: Demo): Promise<readonly Example[]> => {
  const response = await fetch(`${url}/v1/chains/${CHAIN_ID}/transactions?pageSize=1`)
  const { transactions } = (await response.json()) as {
    transactions: readonly { readonly txHash: string; readonly blockNumber: string }[]
  }
  const [{ txHash, blockNumber } = { txHash: '', blockNumber: '' }] = transactions
  const [account = '', deployer = ''] = accounts
  const chainId = String(CHAIN_ID)
  const at = { chainId, txHash, blockId: blockNumber, network: 'testnet' }
  const metrics = ['activeAddresses', 'cumulativeContracts', 'avgTps', 'maxGasPrice', 'feesPaid']
  return [
    ...metrics.map((metric) => ({ path: /\/metrics\/\{metric\}/, values: { ...at, metric } })),
    { path: /rollingWindowMetrics/, values: { ...at, metric: 'txCount' } },
    {
      path: /contracts\/\{address\}\/balances/,
      values: { ...at, address: contracts.token },
      query: 'threshold=0',
    },
    { path: /contracts\/\{address\}\/deployments/, values: { ...at, address: deployer } },
    { path: /contracts\/\{address\}\/transactions/, values: { ...at, address: contracts.items } },
    { path: /collections/, values: { ...at, address: contracts.collectible, tokenId: '1' } },
    { path: /collections/, values: { ...at, address: contracts.items, tokenId: '1' } },
    { path: /tokens\/\{address\}/, values: { ...at, address: contracts.token } },
    { path: /addresses\/\{address\}$/, values: { ...at, address: contracts.token } },
    { path: /listInternals/, values: { ...at, address: contracts.factory } },
    { path: /changes/, values: at, query: 'cursor=0' },
    {
      path: /^(?!.*(metrics\/\{|rolling|contracts|collections|tokens\/|addresses\/\{address\}$|Internals|changes)).*\{/,
      values: { ...at, address: account },
    },
  ]
}
