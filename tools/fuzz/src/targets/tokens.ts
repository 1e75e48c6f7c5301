import { AbiText, TokenMetadata, TokenUri } from '@firn/indexer'
import { ofBytes, ofText, type Target } from '../Target.ts'

const GATEWAYS = { ipfs: ['https://gateway.example/ipfs/'], arweave: ['https://gateway.example/ar/'] }
const CID = 'QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Encodes a text as the ABI result of `tokenURI(uint256)`. */
const answerOf = (text: string): Uint8Array => {
  const bytes = bytesOf(text)
  const answer = new Uint8Array(64 + Math.ceil(bytes.length / 32) * 32)
  answer[31] = 32
  answer[63] = bytes.length
  answer.set(bytes, 64)
  return answer
}

const abiText = ofBytes(
  'text returned by a contract',
  () => [
    answerOf(`ipfs://${CID}/1`),
    answerOf(''),
    bytesOf('MKR'.padEnd(32, '\0')),
    answerOf('😀'.repeat(40)),
  ],
  (input) => {
    const bytes = AbiText.decode(input)
    if (bytes === undefined) return undefined
    if (bytes.length > input.length) return `${bytes.length} bytes decoded from ${input.length}`
    const text = AbiText.toText(bytes, 50)
    return text.length <= 50 && isStorable(text)
      ? undefined
      : `the text cannot be stored: ${JSON.stringify(text)}`
  },
)

const tokenUri = ofText(
  'token URIs',
  () => [
    `ipfs://${CID}/metadata/1.json`,
    `ipfs://ipfs/${CID}/{id}`,
    `${CID}/1`,
    'ar://yHi8rTXJcTOfgQPOnR3BzGhSHN2rrdqgBZFyMYkAXIc/1.json',
    'https://example.org/a/../{id}.json?b=c#d',
    'data:application/json;charset=utf-8,%7B%22name%22%3A%22a%22%7D',
    'data:application/json;base64,eyJuYW1lIjoiYSJ9',
  ],
  (text) => {
    const location = TokenUri.locate(TokenUri.substituteId(text, 255n), GATEWAYS, 3)
    if (!('url' in location)) return undefined
    const { url, gateway } = location
    if (gateway === undefined)
      return /^https?:$/.test(url.protocol) ? undefined : `the location has the scheme ${url.protocol}`
    return url.href.startsWith(gateway) && url.search === ''
      ? undefined
      : `${url.href} is not below ${gateway}`
  },
)

const metadata = ofBytes(
  'token metadata',
  () =>
    [
      '{"name":"a","symbol":"b","description":"c","image":"ipfs://x","external_url":"https://example.org"}',
      '{"attributes":[{"trait_type":"Eyes","value":1e400}],"properties":{"a":{"b":[null,true]}},"decimals":"18"}',
      '\uFEFF { "n\\u0061me" : "a\\u0000\\ud800\\"" , "name" : 12345678901234567890 , "image_data" : "<svg/>" } ',
      `{"x":${'['.repeat(62)}${']'.repeat(62)},"name":"deep"}`,
    ].map(bytesOf),
  (input) => {
    const parsed = TokenMetadata.parse(input, undefined)
    if ('failure' in parsed) return undefined
    const { decimals = 0, attributes = 'null', properties = 'null', ...texts } = parsed.metadata
    JSON.parse(attributes)
    JSON.parse(properties)
    const bad = [attributes, properties, ...Object.values(texts)].find((text) => !isStorable(`${text}`))
    if (bad !== undefined) return `the text cannot be stored: ${JSON.stringify(bad)}`
    return Number.isInteger(decimals) && decimals >= 0 && decimals <= 255 ? undefined : `${decimals} decimals`
  },
)

/** Targets for token data from contracts and untrusted servers. */
export const tokenTargets: readonly Target[] = [abiText, tokenUri, metadata]
