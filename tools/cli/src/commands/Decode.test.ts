import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { Cb58, CheckedHex, Hex, Id, Json } from '@firn/codec'
import { Container, Vertex } from '@firn/txs'
import { Payload, UnsignedMessage } from '@firn/warp'
import { describe, expect, test } from 'vitest'
import * as Run from '../Run.ts'

/** A sample recorded from a node, or a golden vector: the text, and the expected output of `firn decode`. */
interface Sample {
  readonly name: string
  readonly text: string
  readonly kind: string
  readonly id?: string
  /** The node's JSON without whitespace. */
  readonly json?: string
  readonly network?: string
  readonly chain?: string
  readonly parts?: readonly string[]
}

const file = new URL('../../vectors/decode.json.gz', import.meta.url)
const samples = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly Sample[]
const sample = (name: string): Sample => samples.find((item) => item.name === name) as Sample

const decode = async (...argv: readonly string[]) => {
  const out: string[] = []
  const notes: string[] = []
  const code = await Run.run(['decode', ...argv], {
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

const optionsOf = ({ network, chain }: Sample): readonly string[] => [
  ...(network === undefined ? [] : ['--network', network]),
  ...(chain === undefined ? [] : ['--chain', chain]),
]

describe('output of nodes', () => {
  test.each(samples)('decodes $name', async (item) => {
    const { code, out } = await decode(item.text, ...optionsOf(item))
    expect(code).toBe(0)
    const { kind, id, parts = [] } = item
    expect(out.split('\n').slice(0, 2).join('\n')).toContain(kind)
    for (const part of [...(id === undefined ? [] : [id]), ...parts]) expect(out).toContain(part)
  })

  const withJson = samples.filter(({ json }) => json !== undefined)
  test.each(withJson)("prints the node's JSON of $name with --json", async (item) => {
    const { code, out } = await decode(item.text, ...optionsOf(item), '--json')
    expect(code).toBe(0)
    expect(out).toBe(item.json)
  })
})

const CONTAINER = sample('P container of the index')

describe('tree of a container', () => {
  test('shows the proposer, the epoch, the inner block and its transaction with the Warp message', async () => {
    const { out } = await decode(CONTAINER.text)
    const heads = ['hex with a checksum', '└─ content: proposervm container', '   ├─ type: GraniteBlock']
    expect(out.split('\n').slice(0, 3)).toEqual(heads)
    for (const part of [
      'epoch\n',
      'block: P-chain block',
      'SetL1ValidatorWeightTx',
      'message: SignedMessage',
    ])
      expect(out).toContain(part)
  })

  test("prints a container in Firn's own JSON format with --json, because the node has no JSON format for it", async () => {
    const { out } = await decode(CONTAINER.text, '--json')
    const { content } = Json.parse(out) as { readonly content: object }
    expect(content).toMatchObject({ kind: 'proposervm container', pChainHeight: 82, epoch: { number: 13 } })
  })

  test('recognizes no structure if a byte is missing or added', async () => {
    const bytes = CheckedHex.decode(CONTAINER.text)
    for (const other of [bytes.subarray(0, -1), Uint8Array.of(...bytes, 0)]) {
      expect((await decode(Hex.encode(other))).out).toContain(`${other.length} bytes of no known`)
    }
  })
})

describe('other encodings of the same bytes', () => {
  const { text, id, json } = sample('X tx type 0x00')
  const bytes = CheckedHex.decode(text)

  test.each([
    ['hex without a checksum', Hex.encode(bytes), 'X-chain transaction'],
    ['bare hex', Hex.encodeBare(bytes), 'X-chain transaction'],
    ['bare hex with a checksum', text.slice(2), 'hex with a checksum'],
    ['cb58', Cb58.encode(bytes), 'cb58 of X-chain transaction'],
  ])('decodes %s', async (_name, given, head) => {
    const { out } = await decode(given)
    expect(out.split('\n')[0]).toBe(head)
    expect(out).toContain(`id: ${id}`)
    expect((await decode(given, '--json')).out).toBe(json)
  })

  test('prints addresses of the network given by --network', async () => {
    expect((await decode(text)).out).toContain('X-local1')
    expect((await decode(text, '--network', 'fuji')).out).toContain('X-fuji1')
  })
})

describe('ambiguous bytes', () => {
  test('decodes a UTXO for the chain given by --chain', async () => {
    const { text } = sample('recorded UTXO of X')
    const first = await decode(text)
    expect(first.out).toContain('P-chain UTXO')
    expect(first.out).toContain('alsoReadsAs: X-chain UTXO, C-chain UTXO')
    const asked = await decode(text, '--chain', 'C')
    expect(asked.out).toContain('alsoReadsAs: P-chain UTXO, X-chain UTXO')
    expect(asked.out).toContain('addresses: C-local1')
  })

  const parentId = Id.hash(Uint8Array.of(1))
  test('distinguishes an option block from a Warp message of mainnet', async () => {
    const block = CheckedHex.decode(sample('P block type 0x1f').text)
    const option = Container.encode({ type: 'Option', parentID: parentId, block })
    const container = await decode(Hex.encode(option))
    expect(container.out.split('\n')[0]).toBe('proposervm container')
    expect(container.out).toContain('alsoReadsAs: UnsignedMessage')

    const payload = Payload.encode({ type: 'Hash', hash: parentId })
    const message = UnsignedMessage.encode({ networkID: 1, sourceChainID: parentId, payload })
    const warp = await decode(Hex.encode(message))
    expect(warp.out.split('\n')[0]).toBe('UnsignedMessage')
    expect(warp.out).toContain('alsoReadsAs: proposervm container')
  })
})

test('decodes vertices with their transactions', async () => {
  const tx = CheckedHex.decode(sample('X tx type 0x04').text)
  const chainId = Id.hash(Uint8Array.of(2))
  const vertex = Vertex.encode(
    Vertex.build({ chainID: chainId, height: 3n, parentIDs: [chainId], txs: [tx] }),
  )
  const { out } = await decode(Hex.encode(vertex))
  for (const part of ['X-chain vertex', 'type: Vertex', Id.format(Id.hash(vertex)), '[0]: ExportTx'])
    expect(out).toContain(part)
  const stop = Vertex.encode(Vertex.buildStop({ chainID: chainId, height: 4n, parentIDs: [] }))
  expect((await decode(Hex.encode(stop))).out).toContain('type: StopVertex')
})

describe('broken JSON', () => {
  test.each([
    ['an invalid genesis file', '{"allocations":3}', /^firn: expected an array.*allocations/],
    ['an invalid EVM genesis', '{"alloc":{}}', /^firn: the EVM genesis has no field gasLimit/],
    ['JSON of no known format', '{"a":1}', /^firn: expected .*/],
    ['invalid JSON', '{', /^firn: expected JSON/],
  ])('reports %s in one sentence', async (_name, text, message) => {
    const { code, out, notes } = await decode(text)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(notes).toMatch(message)
    expect(notes.split('\n')).toHaveLength(1)
  })

  test('rejects an unknown network', async () => {
    const { code, notes } = await decode('--network', 'nope', '0x')
    expect(code).toBe(2)
    expect(notes).toMatch(/^firn decode: --network: expected mainnet, fuji, local/)
  })
})
