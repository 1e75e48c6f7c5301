import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { CREATION_CODE } from './creationCode.ts'
import { type Call, call, callAll } from './internal/call.ts'
import { TEXTS_CODE } from './textsCode.ts'

/** A text for tokens. */
export interface TokenText {
  readonly text: string
  /** How often the name of the collection is doubled; by default never. */
  readonly doublings?: number
}

/** Token contracts that have a text as name and symbol. */
export interface TextTokens {
  /** An ERC-20 token with 18 decimals. */
  readonly token: Hex
  /** An ERC-721 collection: the metadata of token 1 consists of the text, and the URI of token 2 is the text. */
  readonly collection: Hex
}

const ABI = parseAbi([
  'function mint(address to, uint256 value)',
  'function mint(address to, uint256 tokenId, string uri)',
])
const GAS = '0x4c4b40'
const UNIT = 10n ** 18n

/**
 * Deploys contracts for each text, and mints tokens of them for the first account, in two blocks per text. The contracts
 * also log the texts. They show what services and pages do with texts of strangers.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function createTextTokens(
  url: string,
  texts: readonly TokenText[],
): Promise<readonly TextTokens[]> {
  const [from = '0x'] = await call<Hex[]>(url, 'eth_accounts', [])
  const mine = async (transactions: readonly { readonly to?: Hex; readonly data: Hex }[]) => {
    const hashes = await callAll<Hex>(
      url,
      transactions.map((one): Call => ['eth_sendTransaction', [{ ...one, from, gas: GAS }]]),
    )
    await call(url, 'evm_mine', [])
    const receipts = hashes.map((hash): Call => ['eth_getTransactionReceipt', [hash]])
    return callAll<{ contractAddress: Hex }>(url, receipts)
  }
  const made: TextTokens[] = []
  for (const { text, doublings = 0 } of texts) {
    const names = encodeAbiParameters(parseAbiParameters('string, string, uint8'), [text, text, 18])
    const name = encodeAbiParameters(parseAbiParameters('string, uint256'), [text, BigInt(doublings)])
    const [token, collection] = (
      await mine([
        { data: `${CREATION_CODE.Token}${names.slice(2)}` },
        { data: `${TEXTS_CODE}${name.slice(2)}` },
      ])
    ).map(({ contractAddress }) => contractAddress) as [Hex, Hex]
    const mint = (tokenId: bigint, uri: string) =>
      encodeFunctionData({ abi: ABI, functionName: 'mint', args: [from, tokenId, uri] })
    await mine([
      { to: token, data: encodeFunctionData({ abi: ABI, functionName: 'mint', args: [from, 123n * UNIT] }) },
      { to: collection, data: mint(1n, metadataOf(text)) },
      { to: collection, data: mint(2n, text) },
    ])
    made.push({ token, collection })
  }
  return made
}

/** Returns metadata with a text in each member, as a URI. */
function metadataOf(text: string): string {
  const members = ['name', 'description', 'image', 'animation_url', 'external_url', 'background_color']
  const metadata = {
    ...Object.fromEntries(members.map((member) => [member, text])),
    attributes: [{ trait_type: text, value: text }],
  }
  return `data:application/json,${encodeURIComponent(JSON.stringify(metadata))}`
}
