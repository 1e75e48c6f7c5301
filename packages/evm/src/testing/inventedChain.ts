import { Hex } from '@firn/codec'
import type { ContractFacts } from '../ContractFacts.ts'
import { hashOf, quantity } from './hexes.ts'
import { type Act, act, emptyWorld, KINDS, type LogAct, type World } from './inventedActs.ts'
import { type Random, seeded } from './Random.ts'

/** Options of a generated chain. */
export interface InventedOptions {
  /** Seed of the chain. Chains with the same seed and options are equal. */
  readonly seed: number
  /** Height of the first block; defaults to 0. */
  readonly firstHeight?: bigint
  /** Time of the first block in Unix milliseconds. */
  readonly firstTime?: bigint
  /**
   * Returns the milliseconds from one block to the next. Defaults to mostly a few seconds, sometimes zero and
   * sometimes weeks. The result may depend only on `random`, because a branch is created by generating the
   * chain again.
   */
  readonly elapse?: (random: Random) => bigint
  /** Minimum and maximum number of transactions in a block; default to 0 and 4. */
  readonly transactions?: readonly [least: number, most: number]
  /** Number of sending accounts; defaults to 8. */
  readonly accounts?: number
  /** Height from which blocks report milliseconds; by default all blocks do. */
  readonly millisecondsFrom?: bigint
  /**
   * Whether headers contain the reserved gas and the settled block, as on chains that execute asynchronously.
   */
  readonly isAsynchronous?: boolean
}

/** A block as a node returns it, as parsed JSON. */
export interface InventedParts {
  readonly block: Readonly<Record<string, unknown>> & { readonly hash: string; readonly number: string }
  readonly receipts: readonly object[]
  /** Result of `debug_traceBlockByHash` with `callTracer`. */
  readonly traces: readonly object[]
}

/** A chain that grows on demand. For tests only. */
export interface InventedChain {
  /** All blocks that exist so far. */
  readonly blocks: readonly InventedParts[]
  /** Adds blocks and returns them. */
  grow(count: number): readonly InventedParts[]
  /**
   * Returns a chain with the same blocks up to `height`, followed by different blocks that depend on `name`.
   */
  branch(height: bigint, name: string): InventedChain
}

/** Time of the first block in Unix milliseconds: Saturday, 2024-02-24, five days before a leap day. */
const START = 1_708_732_800_000n
const HOUR = 3_600_000

/** A branch of a generated chain. Its blocks start at the height `from` and depend on `name`. */
interface Turn {
  readonly from: bigint
  readonly name: string
}

/**
 * Creates a chain that is determined by `options`. Its blocks are JSON as from a node, with transfers,
 * creations, internal calls and failures. For tests only.
 */
export function inventedChain(options: InventedOptions): InventedChain {
  return along(options, [{ from: options.firstHeight ?? 0n, name: 'main' }])
}

function along(options: InventedOptions, turns: readonly Turn[]): InventedChain {
  const blocks: InventedParts[] = []
  const world = emptyWorld(options.accounts ?? 8)
  const first = options.firstHeight ?? 0n
  let time = options.firstTime ?? START
  let maker = makerOf(options, 'main')
  const next = () => {
    const height = first + BigInt(blocks.length)
    const turn = turns.findLast(({ from }) => from === height)
    if (turn !== undefined) maker = makerOf(options, turn.name)
    if (blocks.length > 0) time += (options.elapse ?? elapse)(maker.random)
    const block = makeBlock(
      maker,
      world,
      height,
      time,
      blocks.at(-1)?.block.hash ?? hashOf('before the first'),
    )
    blocks.push(block)
    return block
  }
  const grow = (count: number) => Array.from({ length: count }, next)
  const branch = (height: bigint, name: string) => {
    const kept = turns.filter(({ from }) => from <= height)
    const chain = along(options, [...kept, { from: height + 1n, name }])
    chain.grow(Number(height - first) + 1)
    return chain
  }
  return { blocks, grow, branch }
}

interface Maker {
  readonly options: InventedOptions
  readonly random: Random
  readonly label: string
}

function makerOf(options: InventedOptions, name: string): Maker {
  const label = `${options.seed} ${name}`
  return { options, label, random: seeded(Number(hashOf(label).slice(0, 10))) }
}

function elapse(random: Random): bigint {
  if (random.chance(0.15)) return 0n
  if (random.chance(0.7)) return BigInt(random.below(4_000))
  return BigInt(random.chance(0.8) ? random.below(30 * HOUR) : random.below(40 * 24 * HOUR))
}

function makeBlock(
  maker: Maker,
  world: World,
  height: bigint,
  time: bigint,
  parentHash: string,
): InventedParts {
  const { options, random, label } = maker
  const [least, most] = options.transactions ?? [0, 4]
  const hash = hashOf(`${label} block ${height}`)
  const baseFee = BigInt(random.below(50)) * 10n ** 9n + 1n
  const place: Place = { hash, number: quantity(height), baseFee, gas: 0n, logs: 0 }
  const made = Array.from({ length: least + random.below(most - least + 1) }, (_, index) =>
    makeTransaction(maker, world, place, index),
  )
  const reserved = options.isAsynchronous === true ? 2n * place.gas : place.gas
  const block = {
    ...CONSTANTS,
    number: quantity(height),
    hash,
    parentHash,
    ...times(options, height, time),
    stateRoot: hashOf(`${label} state ${height}`),
    gasUsed: quantity(reserved),
    baseFeePerGas: quantity(baseFee),
    ...(options.isAsynchronous === true ? { settledHeight: quantity(height > 3n ? height - 3n : 0n) } : {}),
    transactions: made.map(({ transaction }) => transaction),
  }
  return { block, receipts: made.map(({ receipt }) => receipt), traces: made.map(({ trace }) => trace) }
}

const CONSTANTS = {
  miner: '0x0100000000000000000000000000000000000000',
  gasLimit: '0x989680',
  blockGasCost: '0x0',
  difficulty: '0x1',
  totalDifficulty: '0x0',
  extraData: '0x',
  logsBloom: `0x${'0'.repeat(512)}`,
  nonce: '0x0000000000000000',
  size: '0x400',
  uncles: [],
}

function times(options: InventedOptions, height: bigint, time: bigint) {
  const timestamp = quantity(time / 1000n)
  if (height < (options.millisecondsFrom ?? 0n)) return { timestamp }
  return { timestamp, timestampMilliseconds: quantity(time), minDelayExcess: '0x799d4c' }
}

/** The block under construction. */
interface Place {
  readonly hash: string
  readonly number: string
  readonly baseFee: bigint
  gas: bigint
  logs: number
}

function makeTransaction({ random, label }: Maker, world: World, place: Place, index: number) {
  const from = random.pick(world.accounts)
  const done = act(random, world, from)
  const hash = hashOf(`${label} transaction ${place.number} ${index}`)
  const tip = BigInt(random.below(3))
  const gasUsed = 21_000n + BigInt(random.below(200_000))
  const gas = quantity(gasUsed + BigInt(random.below(50_000)))
  place.gas += gasUsed
  const within = { blockHash: place.hash, blockNumber: place.number, transactionIndex: quantity(index) }
  const isDynamic = random.chance(0.7)
  const price = quantity(place.baseFee + tip)
  const transaction = {
    ...within,
    hash,
    from,
    to: done.to ?? null,
    gas,
    gasPrice: price,
    ...(isDynamic
      ? { maxFeePerGas: quantity(2n * place.baseFee + tip), maxPriorityFeePerGas: quantity(tip) }
      : {}),
    input: done.input,
    nonce: quantity(random.below(1000)),
    type: isDynamic ? '0x2' : '0x0',
    value: quantity(done.value),
    v: '0x0',
    r: '0x1',
    s: '0x1',
  }
  const receipt = {
    ...within,
    transactionHash: hash,
    from,
    to: done.to ?? null,
    contractAddress: done.created ?? null,
    cumulativeGasUsed: quantity(place.gas),
    effectiveGasPrice: price,
    gasUsed: quantity(gasUsed),
    logs: done.logs.map((log) => makeLog(log, within, hash, place)),
    logsBloom: CONSTANTS.logsBloom,
    status: done.failed ? '0x0' : '0x1',
    type: transaction.type,
  }
  return { transaction, receipt, trace: { txHash: hash, result: outermost(done, from, gas, gasUsed) } }
}

function makeLog(log: LogAct, within: object, transactionHash: string, place: Place) {
  const logIndex = quantity(place.logs)
  place.logs += 1
  return { ...log, ...within, transactionHash, logIndex, removed: false }
}

function outermost(done: Act, from: string, gas: string, gasUsed: bigint) {
  const to = done.to ?? (done.failed ? undefined : done.created)
  return {
    type: done.to === undefined ? 'CREATE' : 'CALL',
    from,
    ...(to === undefined ? {} : { to }),
    gas,
    gasUsed: quantity(gasUsed),
    input: done.input,
    value: quantity(done.value),
    ...(done.failed ? { error: 'execution reverted' } : {}),
    ...(done.calls.length > 0 ? { calls: done.calls } : {}),
  }
}

/** Returns the token data of a contract of a generated chain. For tests only. */
export function inventedFacts(address: Uint8Array): ContractFacts {
  const text = Hex.encode(address)
  const kind = KINDS[text.slice(0, 4) as keyof typeof KINDS] ?? 'UNKNOWN'
  const utf8 = new TextEncoder()
  const isKnown = kind !== 'UNKNOWN'
  return {
    address,
    kind,
    name: isKnown ? utf8.encode(`Token ${text.slice(4, 10)}`) : undefined,
    symbol: isKnown && kind !== 'ERC-1155' ? utf8.encode(`T${text.slice(4, 7)}`) : undefined,
    decimals: kind === 'ERC-20' ? 18 : undefined,
  }
}
