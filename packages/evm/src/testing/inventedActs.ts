import { addressOf, hashOf, quantity, words } from './hexes.ts'
import type { Random } from './Random.ts'

/** A log without its position in the block. */
export interface LogAct {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** The effects of a transaction. */
export interface Act {
  readonly to: string | undefined
  readonly value: bigint
  readonly input: string
  readonly created?: string
  readonly failed: boolean
  readonly logs: readonly LogAct[]
  /** Inner frames of `callTracer`, below the outermost call. */
  readonly calls: readonly object[]
}

/** The state of a generated chain. Addresses are hexadecimal text. */
export interface World {
  readonly accounts: readonly string[]
  /** Contract addresses. Their leading digits determine the kind of contract, see `KINDS`. */
  readonly contracts: string[]
  /** Owner of each token, by contract and token id. */
  readonly owners: Map<string, string>
  /** Balances by contract, token id and address. */
  readonly balances: Map<string, bigint>
  created: number
}

/** The kinds of contracts by the leading digits of their addresses. */
export const KINDS = { '0x20': 'ERC-20', '0x72': 'ERC-721', '0x11': 'ERC-1155', '0x00': 'UNKNOWN' } as const
export const ZERO = `0x${'0'.repeat(40)}`

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const PREFIXES = Object.keys(KINDS) as (keyof typeof KINDS)[]
/** Large token ids and amounts, up to the maximum of an EVM word. */
const GREAT = [2n ** 256n - 1n, 2n ** 128n, 2n ** 64n + 1n, 2n ** 53n + 1n] as const

/** Creates the state of a chain with `accounts` accounts and one contract of each kind. */
export function emptyWorld(accounts: number): World {
  return {
    accounts: Array.from({ length: accounts }, (_, i) => addressOf(`account ${i}`)),
    contracts: PREFIXES.map((prefix, i) => contractAddress(prefix, i)),
    owners: new Map(),
    balances: new Map(),
    created: PREFIXES.length,
  }
}

function contractAddress(prefix: string, number: number): string {
  return `${prefix}${addressOf(`contract ${number}`).slice(4)}`
}

/** Returns the effects of a random transaction of `sender`. */
export function act(random: Random, world: World, sender: string): Act {
  if (random.chance(0.2)) return send(random, world)
  if (random.chance(0.12)) return create(random, world)
  return call(random, world, sender)
}

function send(random: Random, world: World): Act {
  const to = random.chance(0.05) ? ZERO : random.pick(world.accounts)
  const value = BigInt(random.below(1_000_000)) * 10n ** BigInt(random.below(20))
  return { to, value, input: '0x', failed: random.chance(0.05), logs: [], calls: [] }
}

function create(random: Random, world: World): Act {
  const failed = random.chance(0.2)
  const created = newContract(random, world, failed)
  return { to: undefined, value: 0n, input: '0x6000', created, failed, logs: [], calls: [] }
}

function newContract(random: Random, world: World, failed: boolean): string {
  const address = contractAddress(random.pick(PREFIXES), world.created)
  world.created += 1
  if (!failed) world.contracts.push(address)
  return address
}

function call(random: Random, world: World, sender: string): Act {
  const contract = random.pick(world.contracts)
  const failed = random.chance(0.1)
  const input = hashOf(`input ${random.below(5)}`).slice(0, 10)
  const value = random.chance(0.2) ? BigInt(random.below(1000)) : 0n
  const logs = failed
    ? []
    : Array.from({ length: random.below(3) + 1 }, () => log(random, world, contract, sender))
  const calls = random.chance(0.5) ? frames(random, world, contract, failed, 0) : []
  return { to: contract, value, input, failed, logs, calls }
}

function log(random: Random, world: World, contract: string, sender: string): LogAct {
  if (random.chance(0.1)) return lookalike(random, contract)
  switch (KINDS[contract.slice(0, 4) as keyof typeof KINDS]) {
    case 'ERC-20':
      return fungible(random, world, contract)
    case 'ERC-721':
      return unique(random, world, contract)
    case 'ERC-1155':
      return multiple(random, world, contract, sender)
    case 'UNKNOWN':
      return { address: contract, topics: random.chance(0.5) ? [hashOf('Event()')] : [], data: '0x01' }
  }
}

/** Returns a log that has the topic of a transfer but is not a valid transfer. */
function lookalike(random: Random, contract: string): LogAct {
  const topic = words(addressOf('one'))
  return random.pick<LogAct>([
    { address: contract, topics: [TRANSFER], data: words(1, 2) },
    { address: contract, topics: [TRANSFER, topic, topic], data: `${words(5)}00` },
    { address: contract, topics: [TRANSFER, hashOf('no address'), topic], data: words(5) },
    { address: contract, topics: [TRANSFER, topic, topic, words(7)], data: words(5) },
    { address: contract, topics: [SINGLE, topic, topic, topic], data: words(5) },
    { address: contract, topics: [BATCH, topic, topic, topic], data: words(64, 128, 1, 5, 2, 6, 7) },
    { address: contract, topics: [BATCH, topic, topic, topic], data: words(64, 2n ** 255n, 1, 5, 1, 6) },
  ])
}

function amount(random: Random): bigint {
  return random.chance(0.03) ? random.pick(GREAT) : BigInt(random.below(1_000_000))
}

function fungible(random: Random, world: World, contract: string): LogAct {
  const { from, to, moved } = move(random, world, contract, 0n)
  return { address: contract, topics: [TRANSFER, words(from), words(to)], data: words(moved) }
}

/**
 * Moves a random amount of a token from a random account to a random account or the zero address, and updates the
 * balances. Sometimes, and always if the first account holds none of the token, the amount is minted instead.
 */
function move(random: Random, world: World, contract: string, id: bigint) {
  const key = (address: string) => `${contract} ${id} ${address}`
  const owner = random.pick(world.accounts)
  const held = world.balances.get(key(owner)) ?? 0n
  const mints = held === 0n || random.chance(0.2)
  const from = mints ? ZERO : owner
  const to = !mints && random.chance(0.15) ? ZERO : random.pick(world.accounts)
  // A balance must not exceed the maximum of an EVM word.
  const room = to === from || to === ZERO ? GREAT[0] : GREAT[0] - (world.balances.get(key(to)) ?? 0n)
  const offered = mints ? amount(random) : held
  const most = offered < room ? offered : room
  const moved = mints || random.chance(0.3) ? most : (most * BigInt(random.below(100))) / 100n
  if (from !== ZERO) world.balances.set(key(from), held - moved)
  if (to !== ZERO) world.balances.set(key(to), (world.balances.get(key(to)) ?? 0n) + moved)
  return { from, to, moved }
}

function tokenId(random: Random): bigint {
  return random.chance(0.1) ? random.pick(GREAT) : BigInt(random.below(20))
}

function unique(random: Random, world: World, contract: string): LogAct {
  const id = tokenId(random)
  const from = world.owners.get(`${contract} ${id}`) ?? ZERO
  const to = from !== ZERO && random.chance(0.1) ? ZERO : random.pick(world.accounts)
  world.owners.set(`${contract} ${id}`, to)
  return { address: contract, topics: [TRANSFER, words(from), words(to), words(id)], data: '0x' }
}

function multiple(random: Random, world: World, contract: string, operator: string): LogAct {
  const { from, to, moved } = move(random, world, contract, 1n)
  const topics = [words(operator), words(from), words(to)]
  if (random.chance(0.5)) return { address: contract, topics: [SINGLE, ...topics], data: words(1, moved) }
  // A batch may have any length. Only its first entry moves tokens; the amounts of the other entries are
  // zero, and their ids may repeat.
  const ids = [1n, ...Array.from({ length: random.below(3) }, () => tokenId(random))]
  const amounts = ids.map((_, i) => (i === 0 ? moved : 0n))
  const count = ids.length
  const data = words(64, 96 + 32 * count, count, ...ids, count, ...amounts)
  return { address: contract, topics: [BATCH, ...topics], data }
}

const TYPES = ['CALL', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT', 'CALLCODE'] as const

function frames(random: Random, world: World, from: string, undone: boolean, depth: number): object[] {
  return Array.from({ length: random.below(3) }, () => frame(random, world, from, undone, depth))
}

function frame(random: Random, world: World, from: string, undone: boolean, depth: number): object {
  const type = random.pick(TYPES)
  const isEnd = type === 'SELFDESTRUCT'
  const failed = !isEnd && random.chance(0.2)
  const isCreation = type === 'CREATE' || type === 'CREATE2'
  const to = isCreation ? newContract(random, world, failed || undone) : random.pick(world.contracts)
  const hasValue = type !== 'STATICCALL'
  return {
    type,
    from,
    ...(isCreation && failed ? {} : { to }),
    gas: quantity(isEnd ? 0 : random.below(1_000_000)),
    gasUsed: quantity(isEnd ? 0 : random.below(100_000)),
    input: '0x',
    ...(hasValue ? { value: quantity(random.below(1000)) } : {}),
    ...(failed ? { error: 'execution reverted' } : {}),
    ...(depth < 3 && !isEnd ? { calls: frames(random, world, to, undone || failed, depth + 1) } : {}),
  }
}
