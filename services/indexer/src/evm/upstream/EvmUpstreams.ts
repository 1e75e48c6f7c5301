import { Hex, isFirnError } from '@firn/codec'
import type { Block, EvmError } from '@firn/evm'
import { createPool, isObject } from '@firn/rpc'
import { type Clock, pause } from '@firn/runtime'
import { IndexerError } from '../../common/IndexerError.ts'
import * as Calls from './calls.ts'
import { type BlockRequest, type Contents, type EvmUpstream, isLie } from './EvmUpstream.ts'
import { createGaps } from './Gaps.ts'
import { isForeign } from './Identity.ts'
import type { Answer, Call } from './JsonRpc.ts'
import { FAILING } from './Requests.ts'

/** Options of {@link createEvmUpstreams}. */
export interface EvmUpstreamsOptions {
  /** Nodes in order of preference; at least one. */
  readonly members: readonly EvmUpstream[]
  readonly clock: Clock
  readonly random: () => number
  /**
   * Time in milliseconds for which a node whose answer was rejected is used only if no other node works;
   * default 2,000.
   */
  readonly cooldownMs?: number
}

/**
 * Nodes of one chain. If one node fails or returns wrong data, another node is used. A node that has returned wrong data
 * repeatedly is used last.
 */
export interface EvmUpstreams {
  readonly members: readonly EvmUpstream[]
  /**
   * Waits until a node has answered, and returns whether nodes serve traces of all blocks to fetch, including
   * the first one. `isKnown` is true if all nodes have answered.
   * @throws IndexerError `INDEXER_CHAIN`, `INDEXER_RESET` or `INDEXER_REORGANISATION` if every node has a
   * different chain than the stored one
   */
  open(signal: AbortSignal): Promise<{ readonly hasTraces: boolean; readonly isKnown: boolean }>
  /**
   * Sets whether blocks are fetched with traces. Must be called before the first request for blocks.
   */
  setTraces(withTraces: boolean): void
  /**
   * Sets the logs that are fetched instead of the blocks' transactions. Must be called before the first request for
   * blocks.
   */
  setLogs(logs: Contents['logs']): void
  /**
   * Returns complete blocks. Each block comes from one node. The result ends before the first unavailable
   * block, so it may be empty. A block whose traces no node can return comes without them; see {@link
   * EvmUpstreams.isUntraced}. `preferred` is tried first. Throws only the signal's reason.
   */
  blocks(
    requests: readonly BlockRequest[],
    signal: AbortSignal,
    preferred?: EvmUpstream,
  ): Promise<readonly Block[]>
  /**
   * Returns whether no node could return the traces of a block, which {@link EvmUpstreams.blocks} therefore returned
   * without them.
   */
  isUntraced(block: Block): boolean
  /**
   * Sets whether the chain has blocks whose traces are missing. Then each node gets only the first time limit for the
   * traces of further blocks, so that a series of slow blocks does not stop the chain.
   */
  setGaps(hasGaps: boolean): void
  /**
   * Returns a block with its traces, for which each node gets the longest time limit. The node that last returned one
   * is asked first. Other requests do not wait for it.
   * @throws IndexerError if no node returns it
   */
  tracedBlock(request: BlockRequest, signal: AbortSignal): Promise<Block>
  /** Records that a block, which {@link EvmUpstreams.blocks} returned, was rejected. Its node is then tried last for a while. */
  blame(block: Block, error: IndexerError): void
  /**
   * Returns the hashes of the blocks at the given heights. Two answers must agree, and they come from
   * different trusted nodes if there are at least two. A hash is undefined if the answers differ or no block
   * exists at the height. With `decides`, the node with the higher head is right where the answers differ.
   * @throws IndexerError if no node answers
   */
  canonical(
    heights: readonly bigint[],
    signal: AbortSignal,
    decides?: boolean,
  ): Promise<readonly (Uint8Array | undefined)[]>
  /**
   * Returns the answers of the first node that answers. Nodes are tried in turn, starting with index `turn`.
   * @throws IndexerError if none answers
   */
  ask(calls: readonly Call[], signal: AbortSignal, turn?: number): Promise<readonly Answer[]>
  /** Returns the number of blocks to fetch at once: half of the batch limit of the most available node, or nearly all of it if only logs are fetched. */
  groupBlocks(): number
  /**
   * Returns the reason if every node has a different chain than the stored one and no node can be used;
   * undefined otherwise.
   */
  foreign(): IndexerError | undefined
  /** Requires a comparison of every node's chain with the stored one before the node's next use. */
  recheck(): void
  /**
   * Returns descriptions of the nodes' problems if no trusted node works. At the head, only nodes that keep failing have
   * problems, because all blocks were fetched.
   */
  problems(isAtHead?: boolean): readonly string[]
  /** Returns which nodes are used last, and why. */
  warnings(): readonly string[]
  close(): void
}

/**
 * Creates a group of nodes. It sends no request until it is used.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export function createEvmUpstreams(options: EvmUpstreamsOptions): EvmUpstreams {
  const { members, clock, random, cooldownMs = 2_000 } = options
  if (members.length === 0)
    throw new IndexerError(
      'INDEXER_CONFIGURATION',
      'expected at least one node for the chain, got an empty list',
    )
  const pool = createPool({
    values: members,
    now: clock.now,
    cooldownMs: () => cooldownMs,
    waitMs: (member) => member.waitMs(),
  })
  const gaps = createGaps(clock)
  let withTraces = false
  let logs: Contents['logs']
  let hasGaps = false
  /** The node that last returned traces that were missing. Others may take as long as the longest time limit again. */
  let tracer: EvmUpstream | undefined
  const untraced = new WeakSet<Block>()
  /** Returns the nodes in order of availability. Equally available nodes are sorted by `rank`. */
  const inOrder = (rank: (member: EvmUpstream) => number = () => 0) =>
    pool
      .order(pool.members.toSorted((one, other) => rank(one.value) - rank(other.value)))
      .toSorted((one, other) => placeOf(one.value) - placeOf(other.value))
  /** The node from which each block was taken. */
  const sources = new WeakMap<Block, EvmUpstream>()
  /** Returns the result of the first node that answers. Its blocks may still be wrong. */
  const first = async <R extends object>(
    order: ReturnType<typeof inOrder>,
    signal: AbortSignal,
    work: (member: EvmUpstream) => Promise<R>,
  ): Promise<R> => {
    const attempt = async (member: EvmUpstream) => {
      await member.abilities(signal)
      return work(member)
    }
    return (await pool.attempt(attempt, { signal, order, endsCooldown: false })) as R
  }
  /** Returns the hashes that one node reports. The node `last` is tried last. */
  const hashesOf = (heights: readonly bigint[], signal: AbortSignal, last?: EvmUpstream) =>
    first(
      inOrder((member) => Number(member === last)),
      signal,
      async (by) => {
        const answers = await by.ask(heights.map(Calls.header), signal)
        const broken = answers.find(({ error }) => error !== undefined)?.error
        // Some nodes return an error for heights above their head, which does not affect the other heights.
        if (answers.every(({ error }) => error !== undefined) && broken !== undefined) throw broken
        return { by, hashes: answers.map((answer, i) => hashAt(answer, heights[i] as bigint)) }
      },
    )
  /** Returns a block without its traces, which no node can return; undefined if no node has the block. */
  const withoutTraces = async (request: BlockRequest, signal: AbortSignal): Promise<Block | undefined> => {
    const block = await first(inOrder(), signal, async (member) => {
      const [outcome] = await member.blocks([request], { withTraces: false }, signal)
      if (outcome?.block === undefined) throw outcome?.error ?? new IndexerError('INDEXER_ABSENT', 'no block')
      sources.set(outcome.block, member)
      return outcome.block
    }).catch((error: unknown) => {
      if (signal.aborted || !isFirnError(error)) throw error
      return undefined
    })
    if (block === undefined) return undefined
    untraced.add(block)
    hasGaps = true
    return block
  }
  return {
    members,
    async open(signal) {
      for (let failures = 1; ; failures += 1) {
        const found = await Promise.allSettled(members.map((member) => member.abilities(signal)))
        signal.throwIfAborted()
        const able = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        if (able.length > 0) {
          const hasTraces = able.some(({ tracesBy, tracesOld }) => tracesBy !== undefined && tracesOld)
          return { hasTraces, isKnown: able.length === members.length }
        }
        const errors = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
        if (errors.every(isForeign)) throw errors[0]
        if (!errors.every(isFirnError)) throw errors.find((error) => !isFirnError(error))
        await pause(failures, { clock, random }, signal)
      }
    },
    setTraces(value) {
      withTraces = value
    },
    setLogs(value) {
      logs = value
    },
    async blocks(requests, signal, preferred) {
      const found = new Array<Block | undefined>(requests.length).fill(undefined)
      const attempts = createTraceAttempts()
      const fetch = async (member: EvmUpstream): Promise<true | undefined> => {
        const { tracesBy } = await member.abilities(signal)
        if (withTraces && tracesBy === undefined) return undefined
        const open = requests.flatMap((_one, i) => (found[i] === undefined ? [i] : []))
        const outcomes = await member.blocks(
          open.map((i) => requests[i] as BlockRequest),
          { withTraces, wait: hasGaps ? 'first' : 'growing', logs },
          signal,
        )
        let failure: IndexerError | EvmError | undefined
        outcomes.forEach(({ block, error }, k) => {
          const place = open[k] as number
          attempts.record(place, error)
          if (block === undefined) failure ??= gaps.unlessMissing(error, requests[place], member)
          else {
            found[place] = block
            sources.set(block, member)
            gaps.end(member, block.height)
          }
        })
        if (failure === undefined) return true
        // The blocks of one answer usually have the same fault, which counts once.
        member.refuse(failure)
        throw failure
      }
      try {
        await pool.attempt(fetch, { signal, order: inOrder((member) => Number(member !== preferred)) })
      } catch (error) {
        if (signal.aborted || !isFirnError(error)) throw error
      }
      const missing = found.indexOf(undefined)
      const request = requests[missing]
      if (request !== undefined && attempts.areOver(missing))
        found[missing] = await withoutTraces(request, signal)
      const end = found.indexOf(undefined)
      return (end < 0 ? found : found.slice(0, end)) as Block[]
    },
    isUntraced: (block) => untraced.has(block),
    setGaps(value) {
      hasGaps = value
    },
    async tracedBlock(request, signal) {
      let failure: unknown = new IndexerError('INDEXER_UNTRACED', `no node traces block ${request.height}`)
      for (const { value: member } of inOrder((one) => Number(one !== tracer))) {
        try {
          if ((await member.abilities(signal)).tracesBy === undefined) continue
          const [outcome] = await member.blocks([request], { withTraces: true, wait: 'longest' }, signal)
          if (outcome?.block === undefined) throw outcome?.error
          sources.set(outcome.block, member)
          tracer = member
          return outcome.block
        } catch (error) {
          if (signal.aborted || !isFirnError(error)) throw error
          if (isLie(error)) member.refuse(error)
          failure = error
        }
      }
      throw failure
    },
    blame(block, error) {
      const source = sources.get(block)
      const member = pool.members.find(({ value }) => value === source)
      if (member === undefined) return
      if (source === tracer) tracer = undefined
      member.value.refuse(error)
      pool.failed(member, error)
    },
    async canonical(heights, signal, decides = false) {
      const first = await hashesOf(heights, signal)
      const second = await hashesOf(heights, signal, first.by)
      const isSecondHigher = (second.by.reported() ?? -1n) > (first.by.reported() ?? -1n)
      const right = decides && isSecondHigher ? second : first
      return right.hashes.map((hash, i) => {
        const isAgreed = first.hashes[i] === second.hashes[i]
        return hash !== undefined && (isAgreed || decides) ? Hex.decode(hash) : undefined
      })
    },
    ask(calls, signal, turn = 0) {
      const order = inOrder()
      const start = turn % order.length
      return first([...order.slice(start), ...order.slice(0, start)], signal, (member) =>
        member.ask(calls, signal),
      )
    },
    groupBlocks() {
      const calls = inOrder()[0]?.value.batchCalls() ?? 1
      return Math.max(logs === undefined ? Math.floor(calls / 2) : calls - 1, 1)
    },
    foreign() {
      const problems = members.map((member) => member.problem())
      return problems.every(isForeign) ? problems[0] : undefined
    },
    recheck() {
      for (const member of members) member.recheck()
    },
    problems(isAtHead = false) {
      const words = pool.members.map(({ value, lastError }) => {
        if (isAtHead) return value.failures() < FAILING ? undefined : value.problem()?.message
        return value.warning() ?? (value.problem() ?? lastError)?.message
      })
      const known = words.flatMap((text) => (text === undefined ? [] : [text]))
      // The chain is healthy while at least one node works.
      return known.length < members.length ? [] : known
    },
    warnings: () => members.flatMap((member) => member.warning() ?? []),
    close() {
      for (const member of members) member.close()
    },
  }
}

/** Collects, for each requested block, which nodes cannot return its traces, and whether one needs more time for them. */
function createTraceAttempts() {
  const last = new Set<number>()
  const waiting = new Set<number>()
  return {
    record(place: number, error: { readonly code: string } | undefined) {
      if (error?.code === 'INDEXER_UNTRACED') last.add(place)
      if (error?.code === 'INDEXER_RPC_TIMEOUT') waiting.add(place)
    },
    /** Returns whether a node has given up the traces of a block, and none gets more time for them. */
    areOver: (place: number) => last.has(place) && !waiting.has(place),
  }
}

/** Returns when to use a node: trusted nodes first, then the others, and last those that keep failing. */
function placeOf(member: EvmUpstream): number {
  if (member.failures() >= FAILING) return 2
  return member.isTrusted() ? 0 : 1
}

/** Returns the hash of a header if the hash is valid and the height matches; undefined otherwise. */
function hashAt({ result }: Answer, height: bigint): string | undefined {
  if (!isObject(result) || result['number'] !== Calls.quantity(height)) return undefined
  const hash = String(result['hash']).toLowerCase()
  return /^0x[0-9a-f]{64}$/.test(hash) ? hash : undefined
}
