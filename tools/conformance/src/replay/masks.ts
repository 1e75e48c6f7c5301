import type { Exchange } from './Exchange.ts'
import * as JsonText from './JsonText.ts'
import type { Mask } from './Masking.ts'

/** An exchange that is not compared, identified by its file and line (from 1), with the reason. */
export interface Named {
  readonly file: string
  readonly line: number
  readonly reason: string
  /** Status of Firn's response, if it differs from the recorded status. */
  readonly status?: number
}

/** All differences that a replay accepts. No other code in this package accepts differences. */
export interface Exceptions {
  readonly masks: readonly Mask[]
  readonly named: readonly Named[]
}

/** Maximum number of exchanges that a replay may exclude from the comparison. */
export const MOST_NAMED = 60

/** Calls that need an upstream, each identified by the end of its method or path, with the reason. */
export const UPSTREAM = [
  {
    method: '.issueTx',
    reason: 'only a full node can validate and broadcast a transaction',
  },
  {
    method: 'TxStatus',
    answer: '"status":"Unknown"',
    reason: 'only a node with a mempool knows whether an unaccepted transaction is pending or was dropped',
  },
  { path: '/rpc', reason: 'EVM calls of the C-chain or of an L1 are forwarded' },
  { path: '/ws', reason: 'EVM WebSockets of the C-chain or of an L1 are forwarded' },
  { path: '/validators', reason: 'only a node that runs the L1 measures the uptime of its validators' },
] as const

/** Returns whether the recorded upstream serves an exchange. */
export function isForUpstream({ method, request, answer }: Exchange): boolean {
  return UPSTREAM.some((it) => {
    if ('path' in it) return request.path.endsWith(it.path)
    return method.endsWith(it.method) && (!('answer' in it) || answer.body.includes(it.answer))
  })
}

/**
 * Headers that depend on the time or the connection. `date` is missing in the recordings; Go's server does
 * not send the others.
 */
export const IGNORED_HEADERS = ['date', 'connection', 'keep-alive'] as const

const chance: readonly Mask[] = [
  {
    method: 'platform.sampleValidators',
    path: 'result.validators',
    form: 'sample',
    reason: 'the result is drawn at random',
  },
  {
    method: 'avm.getAllBalances',
    path: 'result.balances',
    form: 'set',
    reason: 'the order depends on the iteration of a Go map',
  },
]

/**
 * Masks for acceptance times. The archive contains the acceptance times of node 1. Node 5 accepted the same blocks at
 * other times.
 */
const index: readonly Mask[] = [
  ...['index.getLastAccepted', 'index.getContainerByIndex'].map(
    (method): Mask => ({
      method,
      path: 'result.timestamp',
      form: 'time',
      port: 9658,
      reason: 'acceptance time of the recorded node',
    }),
  ),
  {
    method: 'index.getContainerRange',
    path: 'result.containers[].timestamp',
    form: 'time',
    port: 9658,
    reason: 'acceptance time of the recorded node',
  },
]

/** Chain id of the L1 that the recorded local nodes ran. */
const L1 = 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY'
const SHAPE = 'paths, ports and limits of the recorded process'
const CHECKS =
  'a replica checks its upstream and the age of its blocks, while a full node checks peers, routing and upgrades'
const OWN_CHECKS = ['futureupgrade', 'network', 'router', 'shuttingDown', 'upstream']
const OWN_FACTS = ['networking', 'replica']

/**
 * Returns masks for the health checks that both the recorded node and Firn's node API have. Firn has no check
 * for the chain of an L1.
 */
function health(method: string, path: string, chains: readonly string[] = []): readonly Mask[] {
  return [
    ...readiness(method, path),
    { method, path, form: 'part', without: [...OWN_CHECKS, ...chains], reason: CHECKS },
    { method, path: `${path}.*.message`, form: 'part', without: OWN_FACTS, reason: CHECKS },
    { method, path: `${path}.diskspace.message`, form: 'shape', reason: 'the replay runs on another disk' },
  ]
}

function readiness(method: string, path: string): readonly Mask[] {
  return [
    { method, path: `${path}.*.timestamp`, form: 'time', reason: 'clock' },
    { method, path: `${path}.*.duration`, form: 'number', reason: 'duration' },
  ]
}

const config: readonly Mask[] = [{ method: 'admin.getConfig', path: 'result', form: 'shape', reason: SHAPE }]

const version: readonly Mask[] = [
  {
    method: 'info.getNodeVersion',
    path: 'result',
    form: 'shape',
    reason:
      'Firn claims the first release with the newest upgrade that it knows, and the recorded node was older',
  },
]

const name = (file: string, lines: readonly number[], reason: string): readonly Named[] =>
  lines.map((line) => ({ file, line, reason }))

/**
 * Differences that a replay of `recordings/rpc` accepts. Values that depend on recorded peers (`info.peers`,
 * `info.uptime`), on measurements of validators, and on the UTXO order within a block need no mask, because
 * the node APIs use the recorded values.
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
    ...version,
  ],
  named: [],
}

/** Differences that a replay of transcripts without a plan accepts. */
export const OTHERS: Exceptions = {
  masks: [
    ...chance,
    ...readiness('health.readiness', 'result.checks'),
    ...health('health.health', 'result.checks'),
    ...config,
    ...version,
  ].map((mask) => ({ ...mask, isOptional: true })),
  named: [],
}

const RUNNING = 'a node that has the list in memory appends new entries until it is restarted'

/** Matches the status of a blockchain that the recorded node did not run. */
const OF_OTHERS = /"status":"(Created|Syncing)"/

const hasSeveral = (argument: JsonText.JsonText | undefined, name: string) => {
  const list = JsonText.member(argument, name)
  return list?.kind === 'array' && list.elements.length > 1
}

/** Masks for values that depend on the recorded node's memory, its peers, or the chains that it ran. */
const memory: readonly Mask[] = [
  { method: 'platform.getSubnets', path: 'result.subnets', form: 'set', reason: RUNNING },
  { method: 'platform.getBlockchains', path: 'result.blockchains', form: 'set', reason: RUNNING },
  {
    method: 'platform.getRewardUTXOs',
    path: 'result.utxos',
    form: 'set',
    reason: 'the list is oldest first until a restart of the node, and newest first afterwards',
  },
  {
    method: 'platform.getCurrentValidators',
    path: 'result.validators',
    form: 'set',
    when: ({ argument }) => hasSeveral(argument, 'nodeIDs'),
    reason: 'the order depends on the iteration of a Go map',
  },
  {
    method: 'platform.getBlockchainStatus',
    path: 'result.status',
    form: 'status',
    when: ({ answer }) => OF_OTHERS.test(answer.body),
    reason: 'the recorded node did not run this chain',
  },
  ...['rewardingStakePercentage', 'weightedAveragePercentage'].map(
    (member): Mask => ({
      method: 'info.uptime',
      path: `result.${member}`,
      form: 'fraction',
      reason: 'the values are measured by peers',
    }),
  ),
]

/** Times of transactions of vertices. Sources have only the times of vertices. */
const vertexTxs: readonly Mask[] = (
  [
    ['index.getContainerByID', 'result.timestamp'],
    ['index.getContainerByIndex', 'result.timestamp'],
    ['index.getLastAccepted', 'result.timestamp'],
    ['index.getContainerRange', 'result.containers[].timestamp'],
  ] as const
).map(([method, path]) => ({
  method,
  path,
  form: 'time',
  when: ({ request }) => request.path === '/ext/index/X/tx',
  reason: 'a node accepts a transaction at another time than its vertex',
}))

/** Differences that a comparison with point-in-time recordings accepts. */
export const POINT_IN_TIME: Exceptions = {
  masks: [...chance, ...memory, ...vertexTxs].map((mask) => ({ ...mask, isOptional: true })),
  named: [],
}

/** Differences that a replay of `recordings/helicon/rpc` accepts. */
export const HELICON: Exceptions = {
  masks: [
    ...version,
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
  named: name(
    'c-node1-before.jsonl',
    [151, 152],
    "the C-chain's own Admin API belongs to the recorded process",
  ).map((it) => ({
    ...it,
    status: 404,
  })),
}
