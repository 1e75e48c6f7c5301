import { Hex, Id } from '@firn/codec'
import { createFakeClock, type FakeClock } from '@firn/runtime/testing'
import { Acp118, Payload, UnsignedMessage, ValidatorSet } from '@firn/warp'
import type { AggregationRequest } from '../AggregationRequest.ts'
import type { AggregationResult } from '../AggregationResult.ts'
import { type Aggregator, type AggregatorDependencies, createAggregator } from '../Aggregator.ts'
import type { ReportEntry } from '../Report.ts'
import type { Answer, Transport } from '../Transport.ts'
import { answer, type Behaviour } from './Behaviour.ts'
import * as Keys from './Keys.ts'
import * as Random from './Random.ts'

/** One validator of a simulation, with a node for each of `behaviours`. */
export interface SimulatedValidator {
  readonly weight: bigint
  readonly behaviours: readonly Behaviour[]
}

/** Options of a simulation. */
export interface SimulationOptions {
  readonly validators: readonly SimulatedValidator[]
  readonly seed?: number
  /** Total weight of the validators without a key. */
  readonly keylessWeight?: bigint
  /** Minimum and maximum latency of the honest nodes. */
  readonly latencyMs?: readonly [number, number]
  /** Milliseconds for which each request waits in queues of this side before it is sent; default 0. */
  readonly queuedMs?: number | ((validator: number) => number)
  readonly aggregator?: Partial<AggregatorDependencies>
}

/** A request that a simulated node has received. */
export interface SentRequest {
  /** Position of the validator in the options. */
  readonly validator: number
  readonly node: number
  readonly at: number
}

/** A simulated network in memory, whose time advances only on demand. */
export interface Simulation {
  readonly clock: FakeClock
  readonly aggregator: Aggregator
  readonly validatorSet: ValidatorSet.ValidatorSet
  readonly message: Uint8Array
  /** All requests so far. */
  readonly asked: SentRequest[]
  /** Requests whose signal aborted before the response. */
  readonly cancelled: SentRequest[]
  /** Returns the canonical index of a validator, given its position in the options. */
  indexOf(validator: number): number
  /** Starts an aggregation with the defaults quorum 67, no buffer, and a deadline of 20 s. */
  aggregate(request?: Partial<AggregationRequest>): Promise<AggregationResult>
  /** Like {@link Simulation.aggregate}, but advances the time until the result is settled. */
  run(request?: Partial<AggregationRequest>): Promise<AggregationResult>
  /** Returns a validator's entry in the report. */
  entryOf(report: { readonly validators: readonly ReportEntry[] }, validator: number): ReportEntry
}

/**
 * Returns an unsigned message of a chain other than the P-chain. Different numbers give different messages.
 */
export function messageOf(number: number, sourceChainId = new Uint8Array(32).fill(7)): Uint8Array {
  const hash = Id.hash(new TextEncoder().encode(`message ${number}`))
  return UnsignedMessage.encode({
    networkID: 12345,
    sourceChainID: sourceChainId,
    payload: Payload.encode({ type: 'Hash', hash }),
  })
}

/** Returns a simulation. Runs with equal options are identical. */
export function create(options: SimulationOptions): Simulation {
  const { validators, seed = 1, keylessWeight = 0n, queuedMs = 0 } = options
  const clock = createFakeClock()
  const nodes = validators.flatMap(({ weight, behaviours }, validator) =>
    behaviours.map((behaviour, node) => ({
      nodeId: nodeIdOf(validator, node),
      publicKey: Keys.publicKey(validator),
      weight: shareOf(weight, node, behaviours.length),
      behaviour,
      validator,
      node,
    })),
  )
  const keyless =
    keylessWeight > 0n
      ? [{ nodeId: new Uint8Array(20).fill(0xee), publicKey: null, weight: keylessWeight }]
      : []
  const validatorSet = ValidatorSet.create([...nodes, ...keyless])
  const random = Random.create(seed)
  const asked: SentRequest[] = []
  const cancelled: SentRequest[] = []
  const transport = createTransport({
    clock,
    nodes,
    random,
    latencyMs: options.latencyMs ?? [5, 60],
    queuedMs: typeof queuedMs === 'number' ? () => queuedMs : queuedMs,
    asked,
    cancelled,
  })
  const aggregator = createAggregator({ transport, clock, random, ...options.aggregator })
  const message = messageOf(0)
  const aggregate: Simulation['aggregate'] = (request) =>
    aggregator.aggregate({ message, validatorSet, quorumPercentage: 67, deadlineMs: 20_000, ...request })
  const indices = validators.map((_, validator) => {
    const key = Hex.encode(Keys.publicKey(validator))
    return validatorSet.validators.findIndex(({ publicKey }) => Hex.encode(publicKey.compressed) === key)
  })
  const indexOf = (validator: number) => indices[validator] as number
  return {
    clock,
    aggregator,
    validatorSet,
    message,
    asked,
    cancelled,
    indexOf,
    aggregate,
    run: (request) => clock.run(aggregate(request)),
    entryOf: (report, validator) => report.validators[indexOf(validator)] as ReportEntry,
  }
}

interface SimulatedNode {
  readonly nodeId: Uint8Array
  readonly behaviour: Behaviour
  readonly validator: number
  readonly node: number
}

interface TransportParts {
  readonly clock: FakeClock
  readonly nodes: readonly SimulatedNode[]
  readonly random: () => number
  readonly latencyMs: readonly [number, number]
  readonly queuedMs: (validator: number) => number
  readonly asked: SentRequest[]
  readonly cancelled: SentRequest[]
}

function createTransport(parts: TransportParts): Transport {
  const { clock, nodes, random, latencyMs, queuedMs, asked, cancelled } = parts
  const byId = new Map(nodes.map((node) => [Hex.encode(node.nodeId), node]))
  const find = (nodeId: Uint8Array) => byId.get(Hex.encode(nodeId)) as SimulatedNode
  const [least, most] = latencyMs
  return {
    connection(nodeId) {
      const { behaviour } = find(nodeId)
      if (behaviour.kind !== 'unconnected' || clock.now() >= (behaviour.until ?? Number.POSITIVE_INFINITY)) {
        return { connected: true }
      }
      return { connected: false, reason: 'address unknown', pending: behaviour.pending ?? false }
    },
    async request(nodeId, { bytes, deadlineMs, onSent, onLateResponse }, signal) {
      const { behaviour, validator, node } = find(nodeId)
      const waitMs = queuedMs(validator)
      if (waitMs > 0) await clock.sleep(waitMs, signal)
      const record = { validator, node, at: clock.now() }
      asked.push(record)
      if (behaviour.kind === 'throw') throw new RangeError('the socket is closed')
      onSent()
      const reply = answer(behaviour, validator, Acp118.decodeRequest(bytes).message, clock.now())
      const latency =
        'ms' in behaviour && behaviour.ms !== undefined ? behaviour.ms : least + random() * (most - least)
      return new Promise<Answer>((resolve) => {
        if (behaviour.kind === 'blackhole') return
        if (reply === undefined || latency > deadlineMs)
          clock.after(deadlineMs, () => resolve({ kind: 'timeout' }))
        if (reply !== undefined) {
          clock.after(latency, () => {
            if (reply.kind === 'response' && (latency > deadlineMs || signal.aborted))
              onLateResponse(reply.bytes)
            resolve(reply)
          })
        }
        signal.addEventListener('abort', () => cancelled.push(record), { once: true })
      })
    },
  }
}

function nodeIdOf(validator: number, node: number): Uint8Array {
  const nodeId = new Uint8Array(20)
  new DataView(nodeId.buffer).setUint32(0, validator)
  nodeId[4] = node
  return nodeId
}

/** Returns the weight of one node; the weights of a validator's nodes add up to the validator's weight. */
function shareOf(weight: bigint, node: number, nodes: number): bigint {
  const share = weight / BigInt(nodes)
  return node === 0 ? weight - share * BigInt(nodes - 1) : share
}
