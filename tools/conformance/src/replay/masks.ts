import type { Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'
import type { Mask } from './Masking.ts'

/** An exchange that is not compared, by its place in its file (from 1), and why. */
export interface Named {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** The status of our answer, where that is another too. */
  readonly status?: number
}

/** All that a replay lets pass. Nothing else in this package makes an exception. */
export interface Exceptions {
  readonly masks: readonly Mask[]
  readonly named: readonly Named[]
}

/** Most exchanges that may be named instead of compared, in one replay. */
export const MOST_NAMED = 60

/** Calls that no read replica can answer alone, by the end of their method or path, and why. */
export const UPSTREAM = [
  {
    method: '.issueTx',
    reason: 'whether a transaction is valid is decided, and told to the network, by a full node',
  },
  {
    method: 'TxStatus',
    answer: '"status":"Unknown"',
    reason:
      'whether a transaction that was not accepted waits or was dropped, only a node with a mempool knows',
  },
  { path: '/rpc', reason: 'the EVM of the C-chain or of an L1' },
  { path: '/ws', reason: 'the same' },
  { path: '/validators', reason: 'an L1 measures its validators itself' },
] as const

/** True for exchanges that the recorded node behind ours answers. */
export function isForUpstream({ method, request, answer }: Exchange): boolean {
  return UPSTREAM.some((it) => {
    if ('path' in it) return request.path.endsWith(it.path)
    return method.endsWith(it.method) && (!('answer' in it) || answer.body.includes(it.answer))
  })
}

/** Headers that belong to a moment or to one connection: Go's server leaves the last two out, and so did the recorder the first. */
export const IGNORED_HEADERS = ['date', 'connection', 'keep-alive'] as const

const chance: readonly Mask[] = [
  {
    method: 'platform.sampleValidators',
    path: 'result.validators',
    form: 'sample',
    reason: 'drawn at random',
  },
  { method: 'avm.getAllBalances', path: 'result.balances', form: 'set', reason: 'order of a Go map' },
]

/** Node 5 accepted the same blocks at other moments than node 1, whose archive this is. */
const index: readonly Mask[] = [
  ...['index.getLastAccepted', 'index.getContainerByIndex'].map(
    (method): Mask => ({
      method,
      path: 'result.timestamp',
      form: 'time',
      port: 9658,
      reason: 'acceptance at that node',
    }),
  ),
  {
    method: 'index.getContainerRange',
    path: 'result.containers[].timestamp',
    form: 'time',
    port: 9658,
    reason: 'acceptance at that node',
  },
]

/** The chain of the L1 that the recorded local nodes ran. */
const L1 = 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'
const SHAPE = 'paths, ports and limits of that process'
const CHECKS =
  'a replica checks its upstream, and how old its blocks are, where a full node checks peers, routing and upgrades'
const OWN_CHECKS = ['futureupgrade', 'network', 'router', 'shuttingDown', 'upstream']
const OWN_FACTS = ['networking', 'replica']

/** Of checks that are alike; the chain of an L1 has none here. */
function health(method: string, path: string, chains: readonly string[] = []): readonly Mask[] {
  return [
    ...readiness(method, path),
    { method, path, form: 'part', without: [...OWN_CHECKS, ...chains], reason: CHECKS },
    { method, path: `${path}.*.message`, form: 'part', without: OWN_FACTS, reason: CHECKS },
    { method, path: `${path}.diskspace.message`, form: 'shape', reason: 'another disk' },
  ]
}

function readiness(method: string, path: string): readonly Mask[] {
  return [
    { method, path: `${path}.*.timestamp`, form: 'time', reason: 'clock' },
    { method, path: `${path}.*.duration`, form: 'number', reason: 'how long it took' },
  ]
}

const config: readonly Mask[] = [{ method: 'admin.getConfig', path: 'result', form: 'shape', reason: SHAPE }]

const name = (file: string, lines: readonly number[], reason: string): readonly Named[] =>
  lines.map((line) => ({ file, line, reason }))

/**
 * What a replay of `recordings/rpc` lets pass. What depends on peers where these were recorded (`info.peers`, `info.uptime`),
 * on measurements of validators and on the order of what one block made need not vary: the node APIs are given the recorded ones.
 */
export const LOCAL: Exceptions = {
  masks: [
    ...chance,
    ...index,
    ...readiness('GET /ext/health/readiness', 'checks'),
    ...readiness('health.readiness', 'result.checks'),
    ...health('GET /ext/health', 'checks', [L1]),
    ...health('GET /ext/health/health', 'checks', [L1]),
    ...health('health.health', 'result.checks', [L1]),
    ...config,
  ],
  named: [],
}

/** What a replay of transcripts that no plan names lets pass. */
export const OTHERS: Exceptions = {
  masks: [
    ...chance,
    ...readiness('health.readiness', 'result.checks'),
    ...health('health.health', 'result.checks'),
    ...config,
  ].map((mask) => ({ ...mask, isOptional: true })),
  named: [],
}

const RUNNING = 'a node that has the list in memory appends what is new, until it is started again'

/** Statuses of blockchains that the recorded node did not run. */
const OF_OTHERS = /"status":"(Created|Syncing)"/

const hasSeveral = (argument: JsonText.JsonText | undefined, name: string) => {
  const list = JsonText.member(argument, name)
  return list?.kind === 'array' && list.elements.length > 1
}

/** What depends on the memory of the node that was asked, on its peers, or on which chains it ran. */
const memory: readonly Mask[] = [
  { method: 'platform.getSubnets', path: 'result.subnets', form: 'set', reason: RUNNING },
  { method: 'platform.getBlockchains', path: 'result.blockchains', form: 'set', reason: RUNNING },
  {
    method: 'platform.getRewardUTXOs',
    path: 'result.utxos',
    form: 'set',
    reason: 'first the oldest in a node that ran when they were made, first the newest after a restart',
  },
  {
    method: 'platform.getCurrentValidators',
    path: 'result.validators',
    form: 'set',
    when: ({ argument }) => hasSeveral(argument, 'nodeIDs'),
    reason: 'order of a Go map',
  },
  {
    method: 'platform.getBlockchainStatus',
    path: 'result.status',
    form: 'status',
    when: ({ answer }) => OF_OTHERS.test(answer.body),
    reason: 'the node did not run this chain',
  },
  ...['rewardingStakePercentage', 'weightedAveragePercentage'].map(
    (member): Mask => ({
      method: 'info.uptime',
      path: `result.${member}`,
      form: 'fraction',
      reason: 'what peers observed',
    }),
  ),
]

/** What a comparison with moments lets pass. */
export const MOMENTS: Exceptions = {
  masks: [...chance, ...memory].map((mask) => ({ ...mask, isOptional: true })),
  named: [],
}

/** What a replay of `recordings/helicon/rpc` lets pass. */
export const HELICON: Exceptions = {
  masks: [
    ...readiness('health.readiness', 'result.checks'),
    ...health('health.health', 'result.checks'),
    {
      method: 'health.health',
      path: 'result.checks.X.message.engine.consensus.lastAcceptedID',
      form: 'text',
      reason: "this archive has the X-chain's blocks without their containers",
    },
    ...config,
  ],
  named: name('c-node1-before.jsonl', [151, 152], "the C-chain's own Admin API is that process's").map(
    (it) => ({
      ...it,
      status: 404,
    }),
  ),
}
