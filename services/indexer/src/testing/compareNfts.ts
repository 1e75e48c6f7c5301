import { Hex } from '@firn/codec'
import { readBalances, type ZooBalance, type ZooToken } from '@firn/demo-chain/zoo'
import { BalanceOf } from '@firn/evm'
import { EvmItemHolders, type EvmStore, EvmTokenHolders, EvmTokens } from '@firn/evm-store'

/** Stored holders and owners of NFTs, compared with what the contracts return. */
export interface ComparedNfts {
  /** Number of holders and owners that were compared. */
  readonly count: number
  /** Descriptions of what differs. */
  readonly faults: readonly string[]
}

/** What is compared. */
interface Chain {
  readonly store: EvmStore
  readonly url: string
  readonly balances: readonly ZooBalance[]
  /** Calls a contract after a block. The result is undefined if the call fails. */
  readonly call: (to: string, data: string, height: bigint) => Promise<unknown>
}

/**
 * Compares the holders of each NFT contract whose logs are its balances, of each of its tokens, and the owners, with
 * `balanceOf` and `ownerOf` after the same blocks. For tests only.
 */
export async function compareNfts(chain: Chain, heights: readonly bigint[]): Promise<ComparedNfts> {
  const tokens = new Map(chain.balances.map(({ token }) => [token.address, token]))
  const nfts = [...tokens.values()].filter(({ standard, basis }) => standard !== 20 && basis === 'logs')
  const faults: string[] = []
  let count = 0
  const compare = (what: string, found: readonly string[], expected: readonly string[]) => {
    count += expected.length
    if (found.join() !== expected.join()) faults.push(`${what}: [${found.join()}], not [${expected.join()}]`)
  }
  for (const height of heights) {
    for (const token of nfts) {
      const what = `${token.name} at ${height}`
      const own = chain.balances.filter((one) => one.token === token)
      const read = await readBalances(chain.url, own, height)
      // Before it is deployed, a contract returns nothing.
      const truth = own.map((one, i) => ({ ...one, balance: read[i] ?? 0n }))
      const ids = [...new Set(truth.map(({ tokenId }) => tokenId))]
      compare(what, await holders(chain.store, token, undefined, height), sorted(truth))
      if (token.standard === 1155) {
        for (const id of ids) {
          const expected = sorted(truth.filter(({ tokenId }) => tokenId === id))
          compare(`${what} #${id}`, await holders(chain.store, token, id, height), expected)
        }
      } else await compareOwners(chain, token, height, compare)
    }
  }
  return { count, faults }
}

async function holders(
  store: EvmStore,
  token: ZooToken,
  tokenId: bigint | undefined,
  height: bigint,
): Promise<readonly string[]> {
  const query = { contract: Hex.decode(token.address), threshold: 0n, height, after: undefined, limit: 1_000 }
  const found =
    token.standard === 1155
      ? await EvmItemHolders.at(store, { ...query, tokenId })
      : await EvmTokenHolders.at(store, { ...query, standard: 721 })
  return found.map(({ address, balance }) => `${Hex.encode(address)} ${balance}`)
}

/** Returns the holders of some balances in the order of the lists. */
function sorted(
  balances: readonly { readonly account: string; readonly balance: bigint }[],
): readonly string[] {
  const sums = new Map<string, bigint>()
  for (const { account, balance } of balances)
    sums.set(account.toLowerCase(), (sums.get(account.toLowerCase()) ?? 0n) + balance)
  return [...sums]
    .filter(([, balance]) => balance > 0n)
    .sort(([one, had], [other, has]) => (had === has ? (one < other ? -1 : 1) : had > has ? -1 : 1))
    .map(([account, balance]) => `${account} ${balance}`)
}

async function compareOwners(
  { store, call }: Chain,
  token: ZooToken,
  height: bigint,
  compare: (what: string, found: readonly string[], expected: readonly string[]) => void,
): Promise<void> {
  const contract = Hex.decode(token.address)
  const at = await store.snapshot()
  const stored = await EvmTokens.ofContract(store, at, contract, { after: undefined, limit: 1_000 })
  for (const { tokenId } of stored) {
    const owner = await EvmTokens.ownerAt(store, { contract, tokenId }, height)
    const truth = BalanceOf.read(await call(token.address, BalanceOf.ownerCallData(tokenId), height)) ?? 0n
    const found = owner === undefined ? 0n : BigInt(Hex.encode(owner))
    compare(`${token.name} #${tokenId} at ${height}`, [found.toString(16)], [truth.toString(16)])
  }
}
