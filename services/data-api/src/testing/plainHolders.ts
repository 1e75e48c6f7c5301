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
