import { type InventedParts, Plain } from '@firn/evm/testing'

/**
 * Reference implementation of the list of holders. It calculates each answer from all transfers. For tests
 * only.
 */

/** Balances of a contract's holders after one block. */
interface State {
  readonly time: number
  readonly balances: ReadonlyMap<string, bigint>
}

const ZERO = `0x${'0'.repeat(40)}`

/** Returns the contracts that have transfers of the given token standard. */
export function contractsOf(blocks: readonly InventedParts[], standard: number): string[] {
  const lines = blocks.flatMap((parts) => Plain.transfers(parts as unknown as Plain.PlainParts))
  const contracts = lines.map((line) => line.split(' ')).filter((fields) => fields[3] === String(standard))
  return [...new Set(contracts.map((fields) => String(fields[4])))]
}

function statesOf(blocks: readonly InventedParts[], contract: string, standard: number): State[] {
  const balances = new Map<string, bigint>()
  const add = (address: string, amount: bigint) => {
    if (address !== ZERO) balances.set(address, (balances.get(address) ?? 0n) + amount)
  }
  return blocks.map((parts) => {
    for (const line of Plain.transfers(parts as unknown as Plain.PlainParts)) {
      const [, , , kind, address, from = '', to = '', , amount = ''] = line.split(' ')
      if (address !== contract || kind !== String(standard)) continue
      add(from, -BigInt(amount))
      add(to, BigInt(amount))
    }
    return { time: Number(parts.block['timestamp']), balances: new Map(balances) }
  })
}

/** The transfers of a token, or of all tokens of a contract, up to a block. */
export interface Selected {
  readonly contract: string
  readonly standard: number
  readonly tokenId?: bigint | undefined
  readonly height: bigint
}

/** Returns the addresses that held more than a threshold after a block, with their balances. */
export function plainHoldersAt(
  blocks: readonly InventedParts[],
  { contract, standard, tokenId, height }: Selected,
  threshold: bigint,
): (readonly [address: string, balance: bigint])[] {
  const balances = new Map<string, bigint>()
  const add = (address: string, amount: bigint) =>
    balances.set(address, (balances.get(address) ?? 0n) + amount)
  for (const parts of blocks.filter(({ block }) => BigInt(String(block['number'])) <= height)) {
    for (const line of Plain.transfers(parts as unknown as Plain.PlainParts)) {
      const [, , , kind, address, from = '', to = '', id = '', amount = ''] = line.split(' ')
      if (address !== contract || kind !== String(standard)) continue
      if (tokenId !== undefined && BigInt(id) !== tokenId) continue
      add(from, -BigInt(amount))
      add(to, BigInt(amount))
    }
  }
  balances.delete(ZERO)
  return [...balances]
    .filter(([, balance]) => balance > threshold)
    .sort(([one, had], [other, has]) => (had === has ? (one < other ? -1 : 1) : had > has ? -1 : 1))
}

/** Returns the tokens of a standard that were transferred, each with its contract. */
export function tokensOf(
  blocks: readonly InventedParts[],
  standard: number,
): readonly { readonly contract: string; readonly tokenId: bigint }[] {
  const lines = blocks.flatMap((parts) => Plain.transfers(parts as unknown as Plain.PlainParts))
  const fields = lines.map((line) => line.split(' ')).filter(([, , , kind]) => kind === String(standard))
  const keys = new Map(fields.map((all) => [`${all[4]} ${all[7]}`, all]))
  return [...keys.values()].map((all) => ({ contract: String(all[4]), tokenId: BigInt(String(all[7])) }))
}

/**
 * Returns the addresses that held more than a threshold at any time from `start` (inclusive) to `end`
 * (exclusive), with their balances at the end.
 */
export function plainHolders(
  blocks: readonly InventedParts[],
  contract: string,
  standard: number,
  threshold: bigint,
  { start = 0, end = Number.POSITIVE_INFINITY }: { readonly start?: number; readonly end?: number } = {},
): (readonly [address: string, balance: bigint])[] {
  if (end <= start) return []
  const states = statesOf(blocks, contract, standard)
  const before = states.filter(({ time }) => time < start).slice(-1)
  const within = states.filter(({ time }) => time >= start && time < end)
  const moments = [...before, ...within]
  const addresses = new Set(
    moments.flatMap(({ balances }) =>
      [...balances].filter(([, balance]) => balance > threshold).map(([address]) => address),
    ),
  )
  const last = moments.at(-1)?.balances ?? new Map<string, bigint>()
  return [...addresses]
    .map((address) => [address, last.get(address) ?? 0n] as const)
    .sort(([one, had], [other, has]) => (had === has ? (one < other ? -1 : 1) : had > has ? -1 : 1))
}
