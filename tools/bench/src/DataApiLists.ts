import { Bech32, Id } from '@firn/codec'
import { AVM_OWNER, OWNERS } from './Ledger.ts'

/** A request and its title. */
export type Question = readonly [title: string, path: string]

const NETWORK = '/v1/networks/local'
const P = `${NETWORK}/blockchains/p-chain`
const X = `${NETWORK}/blockchains/x-chain`
const TRANSACTIONS = `${P}/transactions`
const PAGES = 100

const OWNED = OWNERS.map(
  ({ matches, address }) => [matches.toLocaleString('en'), Bech32.encode('local', address)] as const,
)
const [, , [, BUSY] = ['', '']] = OWNED
const AVM = `X-${Bech32.encode('local', AVM_OWNER)}`

/** Every list, for addresses with one, a thousand and a hundred thousand transactions. */
export const LISTS: readonly Question[] = [
  ['transactions, P', TRANSACTIONS],
  ...OWNED.flatMap(([matches, of]): Question[] => [
    [`transactions of ${matches}`, `${TRANSACTIONS}?addresses=${of}`],
    ['the same, ascending', `${TRANSACTIONS}?addresses=${of}&sortOrder=asc`],
    ['the same, a rare type', `${TRANSACTIONS}?addresses=${of}&txTypes=CreateSubnetTx,CreateChainTx`],
    ['the same, within a period', `${TRANSACTIONS}?addresses=${of}&startTimestamp=1&endTimestamp=2000000000`],
    [`staking of ${matches}`, `${TRANSACTIONS}:listStaking?addresses=${of}`],
    [`UTXOs of ${matches}`, `${P}/utxos?addresses=${of}`],
    [`rewards of ${matches}`, `${NETWORK}/rewards?addresses=${of}`],
    [`pending rewards of ${matches}`, `${NETWORK}/rewards:listPending?addresses=${of}`],
    // Sums everything that an address holds, so its cost grows with the address.
    [`balances of ${matches}`, `${P}/balances?addresses=${of}`],
  ]),
  ['transactions of all three', `${TRANSACTIONS}?addresses=${OWNED.map(([, of]) => of).join(',')}`],
  ['staking', `${TRANSACTIONS}:listStaking`],
  ['staking, ascending', `${TRANSACTIONS}:listStaking?sortOrder=asc`],
  ['blocks, P', `${P}/blocks`],
  ['transactions, X', `${X}/transactions`],
  ['of an address', `${X}/transactions?addresses=${AVM}`],
  ['UTXOs of an address, X', `${X}/utxos?addresses=${AVM}`],
  ['validators', `${NETWORK}/validators`],
  ['delegators', `${NETWORK}/delegators`],
  ['subnets', `${NETWORK}/subnets?pageSize=10`],
  ['blockchains', `${NETWORK}/blockchains`],
  ['l1Validators', `${NETWORK}/l1Validators`],
  ['l1Validators, including inactive', `${NETWORK}/l1Validators?includeInactiveL1Validators=true`],
]

/** The body of a response. */
export type Answer = Readonly<Record<string, unknown>> & { readonly nextPageToken?: string }

/** Returns the body of the response from a URL. */
export async function get(url: string): Promise<Answer> {
  return (await (await fetch(url)).json()) as Answer
}

/** Returns the first and the hundredth page of a list; the latter only if the list is that long. */
export async function pagesOf(url: string, path: string): Promise<{ first: string; hundredth?: string }> {
  let hundredth = path
  for (let page = 1; page < PAGES; page++) {
    const { nextPageToken } = await get(url + hundredth)
    if (nextPageToken === undefined) return { first: path }
    const [where = ''] = path.split('?')
    hundredth = `${where}?pageSize=10&pageToken=${nextPageToken}`
  }
  return { first: path, hundredth }
}

/** Returns one request of each kind. */
export async function singles(url: string): Promise<readonly Question[]> {
  const first = async (path: string, member: string, id: string) => {
    const list = (await get(`${url}${path}`))[member] as readonly Record<string, string>[]
    return list[0]?.[id] ?? Id.format(Id.EMPTY)
  }
  const chain = await first(`${NETWORK}/blockchains`, 'blockchains', 'blockchainId')
  const subnet = await first(`${NETWORK}/subnets?pageSize=1`, 'subnets', 'subnetId')
  const tx = await first(`${TRANSACTIONS}?addresses=${BUSY}`, 'transactions', 'txHash')
  const block = await first(`${P}/blocks`, 'blocks', 'blockHash')
  return [
    ['a blockchain', `${NETWORK}/blockchains/${chain}`],
    ['a subnet', `${NETWORK}/subnets/${subnet}`],
    ['a transaction', `${TRANSACTIONS}/${tx}`],
    ['a block', `${P}/blocks/${block}`],
  ]
}
