import { Bech32, Id } from '@firn/codec'
import { AVM_OWNER, OWNERS } from './Ledger.ts'

/** A request with its title in the report. */
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

/** Requests for all list endpoints, with addresses that have 1, 1,000 and 100,000 transactions. */
export const LISTS: readonly Question[] = [
  ['P-chain transactions', TRANSACTIONS],
  ...OWNED.flatMap(([matches, of]): Question[] => [
    [`transactions of an address (${matches} in total)`, `${TRANSACTIONS}?addresses=${of}`],
    [
      `transactions of an address (${matches} in total), ascending`,
      `${TRANSACTIONS}?addresses=${of}&sortOrder=asc`,
    ],
    [
      `transactions of a rare type, address with ${matches} transactions`,
      `${TRANSACTIONS}?addresses=${of}&txTypes=CreateSubnetTx,CreateChainTx`,
    ],
    [
      `transactions within a period, address with ${matches} transactions`,
      `${TRANSACTIONS}?addresses=${of}&startTimestamp=1&endTimestamp=2000000000`,
    ],
    [`staking of an address with ${matches} transactions`, `${TRANSACTIONS}:listStaking?addresses=${of}`],
    [`UTXOs of an address with ${matches} transactions`, `${P}/utxos?addresses=${of}`],
    [`rewards of an address with ${matches} transactions`, `${NETWORK}/rewards?addresses=${of}`],
    [
      `pending rewards of an address with ${matches} transactions`,
      `${NETWORK}/rewards:listPending?addresses=${of}`,
    ],
    // The balance is the sum of all outputs of an address, so the cost grows with the number of outputs.
    [`balances of an address with ${matches} transactions`, `${P}/balances?addresses=${of}`],
  ]),
  ['transactions of all three addresses', `${TRANSACTIONS}?addresses=${OWNED.map(([, of]) => of).join(',')}`],
  ['staking', `${TRANSACTIONS}:listStaking`],
  ['staking, ascending', `${TRANSACTIONS}:listStaking?sortOrder=asc`],
  ['P-chain blocks', `${P}/blocks`],
  ['X-chain transactions', `${X}/transactions`],
  ['X-chain transactions of an address', `${X}/transactions?addresses=${AVM}`],
  ['X-chain UTXOs of an address', `${X}/utxos?addresses=${AVM}`],
  ['validators', `${NETWORK}/validators`],
  ['delegators', `${NETWORK}/delegators`],
  ['subnets', `${NETWORK}/subnets?pageSize=10`],
  ['blockchains', `${NETWORK}/blockchains`],
  ['l1Validators', `${NETWORK}/l1Validators`],
  ['l1Validators, including inactive ones', `${NETWORK}/l1Validators?includeInactiveL1Validators=true`],
]

/** A response body. */
export type Answer = Readonly<Record<string, unknown>> & { readonly nextPageToken?: string }

/** Requests a URL and returns the response body. */
export async function get(url: string): Promise<Answer> {
  return (await (await fetch(url)).json()) as Answer
}

/**
 * Returns the paths of the first and the hundredth page of a list. If the list is shorter, `hundredth` is
 * missing.
 */
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

/** Returns one request for each endpoint that returns a single item. */
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
