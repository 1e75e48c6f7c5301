import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Demo, writeVerifiedSources } from '@firn/demo-chain'
import type { Counted } from '@firn/gateway'
import { Ports } from '@firn/http'
import { LocalAccess } from '@firn/operate'
import type { Terminal } from '@firn/options'
import { CliError } from '../../CliError.ts'
import * as Indexing from '../Indexing.ts'
import * as DemoTraffic from './DemoTraffic.ts'
import * as EvmServices from './EvmServices.ts'
import * as EvmServing from './EvmServing.ts'
import { type Example, showcase } from './Showcase.ts'

/** Options of `firn evm --demo`. */
export type Options = Omit<EvmServing.Options, 'chain' | 'dataDir'> & {
  readonly evmPort: number
  /** Whether to stop after every endpoint has been shown. */
  readonly once: boolean
}

const { CHAIN_ID, ABOUT } = DemoTraffic
const TAGS = ['EVM', 'Metrics', 'Usage']

/** The ABI of the demo's ERC-20 tokens, whose events are decoded. */
const ABI_NAME = 'Token'
const ABI = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
]

/**
 * Starts a local EVM with two weeks of history, indexes it into an empty folder, serves it, and shows the
 * data of each endpoint. Then adds a block per second until a signal arrives.
 */
export const demo = (options: Options, terminal: Terminal): Promise<void> =>
  Ports.during(options, EvmServing.PORTS, (bound) => run(bound, terminal))

/** The pictures of the demo's tokens are part of their metadata. */
const OWN = { chain: [], rateLimits: false, nftImageBytes: 16_777_216 } as const

const run = async (options: Options, terminal: Terminal): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'firn-evm-'))
  try {
    const traffic = await DemoTraffic.start(options.evmPort, terminal)
    try {
      const abi = join(dataDir, `${ABI_NAME}.json`)
      await writeFile(abi, JSON.stringify(ABI))
      const abis = join(dataDir, 'abis')
      await writeVerifiedSources(abis, CHAIN_ID, traffic.made.contracts)
      const events = options.eventLogs ? [abi, ...(options.events ?? [])] : options.events
      await show({ ...options, ...OWN, dataDir, events, abis }, traffic, terminal)
    } finally {
      await traffic.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const show = async (
  options: EvmServing.Options & Options,
  { url: evmUrl, made, keepGoing }: DemoTraffic.DemoTraffic,
  terminal: Terminal,
): Promise<void> => {
  const chain = {
    ...{ chainId: BigInt(CHAIN_ID), names: [String(CHAIN_ID)], urls: [evmUrl], about: ABOUT },
    firstHeight: undefined,
  }
  await EvmServing.during(options, [chain], terminal, async ({ indexing, counted, url, local }) => {
    await EvmServing.untilCaughtUp(indexing, terminal)
    const stop = new AbortController()
    const traffic = keepGoing(`${counted.gateway.url}/rpc/${CHAIN_ID}`, stop.signal)
    try {
      terminal.print(`local EVM        ${evmUrl}  (chain id ${CHAIN_ID})`)
      terminal.print(`Data API         ${url}  (/docs, /openapi.json, /health, /metrics)`)
      EvmServices.print(url, counted, [chain], terminal)
      terminal.print('')
      await showAll(url, made, counted, terminal)
      if (options.once) return
      LocalAccess.announce(local, url, terminal)
      terminal.print('The chain grows by one block per second. Press Ctrl-C to stop')
      await Indexing.stay({ ended: Promise.race([indexing.ended, traffic]) }, terminal.signal)
    } finally {
      stop.abort()
      await traffic.catch(() => undefined)
    }
  })
}

/**
 * Maximum time in milliseconds to wait for data from each endpoint. Metadata and usage appear a little later
 * than blocks.
 */
const PATIENCE_MS = 30_000

/**
 * Endpoints that have no data: the local chain has no Warp precompile and therefore no messages to other chains, BTC.b is
 * only on the C-chain, and the demo sends no API key, so no request of a key is counted.
 */
const WITHOUT_DATA = [
  ...[
    '/v2/icm/timeseries',
    '/v1/apiUsageMetrics',
    '/v1/apiLogs',
    '/v2/chains/43114/btcb/bridged:getAddresses',
  ],
  `/v2/chains/${CHAIN_ID}/teleporterMetrics/{metric}`,
]

const showAll = async (
  url: string,
  made: Demo,
  { gateway }: Counted.Counted,
  terminal: Terminal,
): Promise<void> => {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    await gateway.flush()
    const all = await showcase(url, TAGS, await examples(url, made), terminal.signal)
    const shown = all.filter((one) => !WITHOUT_DATA.includes(one.url))
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

/**
 * Returns example values for path parameters: the demo's accounts, its contracts, and its newest transaction.
 */
const examples = async (url: string, { accounts, contracts }: Demo): Promise<readonly Example[]> => {
  const response = await fetch(`${url}/v1/chains/${CHAIN_ID}/transactions?pageSize=1`)
  const { transactions } = (await response.json()) as {
    transactions: readonly { readonly txHash: string; readonly blockNumber: string }[]
  }
  const [{ txHash, blockNumber } = { txHash: '', blockNumber: '' }] = transactions
  const collection = `${url}/v1/chains/${CHAIN_ID}/nfts/collections/${contracts.collectible}`
  const token = await (await fetch(`${collection}/tokens/1`)).json()
  const { imageHash = '' } = (token as { metadata?: { imageHash?: string } }).metadata ?? {}
  const [account = '', deployer = ''] = accounts
  const chainId = String(CHAIN_ID)
  const at = { chainId, txHash, blockId: blockNumber, network: 'testnet', name: `${ABI_NAME}.Transfer` }
  const metrics = ['activeAddresses', 'cumulativeContracts', 'avgTps', 'maxGasPrice', 'feesPaid']
  return [
    ...metrics.map((metric) => ({ path: /\/metrics\/\{metric\}/, values: { ...at, metric } })),
    { path: /rollingWindowMetrics/, values: { ...at, metric: 'txCount' } },
    {
      path: /contracts\/\{address\}\/balances/,
      values: { ...at, address: contracts.token },
      query: 'threshold=0',
    },
    { path: /contracts\/\{address\}\/nfts:/, values: { ...at, address: contracts.collectible } },
    { path: /contracts\/\{address\}\/deployments/, values: { ...at, address: deployer } },
    { path: /contracts\/\{address\}\/transactions/, values: { ...at, address: contracts.items } },
    { path: /images/, values: { ...at, imageHash } },
    { path: /collections/, values: { ...at, address: contracts.collectible, tokenId: '1' } },
    { path: /collections/, values: { ...at, address: contracts.items, tokenId: '1' } },
    { path: /tokens\/\{address\}/, values: { ...at, address: contracts.token } },
    { path: /addresses\/\{address\}$/, values: { ...at, address: contracts.token } },
    { path: /listInternals/, values: { ...at, address: contracts.factory } },
    { path: /changes/, values: at, query: 'cursor=0' },
    {
      path: /^(?!.*(metrics\/\{|rolling|contracts|collections|images|tokens\/|addresses\/\{address\}$|Internals|changes)).*\{/,
      values: { ...at, address: account },
    },
  ]
}
