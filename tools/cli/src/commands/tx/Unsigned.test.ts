import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, Hex, Id } from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey } from '@firn/keys'
import { AtomicTx, AvmTx, PlatformTx, PlatformUtxo, Signing, Wallet } from '@firn/txs'
import { afterAll, describe, expect, it } from 'vitest'
import * as Run from '../../Run.ts'

/** A transaction as a custodian passes it on, and with the signature of one of its two signers. */
const { unsigned, halfSigned, signedBy, missing } = JSON.parse(
  readFileSync(new URL('../../../vectors/half-signed.json', import.meta.url), 'utf8'),
) as {
  readonly unsigned: string
  readonly halfSigned: string
  readonly signedBy: readonly [string]
  readonly missing: readonly [string]
}

const folder = mkdtempSync(join(tmpdir(), 'firn-unsigned-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const firn = async (...argv: readonly string[]) => {
  const out: string[] = []
  const notes: string[] = []
  const signal = new AbortController().signal
  const print = (line: string) => out.push(line)
  const code = await Run.run(argv, { print, note: (line) => notes.push(line), isInteractive: false, signal })
  return { code, out, text: [...out, ...notes].join('\n') }
}

const bytes = Hex.decode(unsigned)
const [input] = PlatformTx.inputs({ unsignedTx: PlatformTx.decodeUnsigned(bytes), credentials: [] })
const utxoOf = (owners: readonly Uint8Array[]) => {
  const spent = input as NonNullable<typeof input>
  const output = Wallet.plainOut({
    assetID: spent.assetID,
    amount: 5_000_000_000n,
    owners: Wallet.owners(2, owners),
  })
  return Hex.encode(PlatformUtxo.encode({ txID: spent.txID, outputIndex: spent.outputIndex, ...output }))
}
const owners = [...missing, ...signedBy].map((address) => Address.parse(address).payload)
const utxos = save('utxos', `${utxoOf(owners)}\n`)

describe('firn tx decode', () => {
  it('reads a transaction without credentials, and says who has to sign it', async () => {
    const bare = await firn('tx', 'decode', unsigned)
    expect(bare.out[0]).toBe('BaseTx on the P-chain of mainnet')
    expect(bare.out.at(-1)).toMatch(/^needs 2 signatures of owners that .*; pass their UTXOs with --utxos$/)
    const named = await firn('tx', 'decode', unsigned, '--utxos', utxos)
    expect(named.out.at(-1)).toBe(`needs the signatures of ${[...missing, ...signedBy].join(', ')}`)
  })

  it('names who has signed, and who is missing', async () => {
    const { out } = await firn('tx', 'decode', halfSigned)
    expect(out.slice(-2)).toEqual([`signed by ${signedBy[0]}`, expect.stringMatching(/^needs one signature/)])
    const named = await firn('tx', 'decode', halfSigned, '--utxos', utxos)
    expect(named.out.slice(-2)).toEqual([`signed by ${signedBy[0]}`, `needs the signatures of ${missing[0]}`])
  })

  it('names who has signed without being a signer', async () => {
    const others = save('others', utxoOf([...owners.slice(0, 1), new Uint8Array(20).fill(255)]))
    const { out } = await firn('tx', 'decode', halfSigned, '--utxos', others)
    expect(out.at(-1)).toBe(`has a signature of ${signedBy[0]}, which is not a signer there`)
    expect(out.join('\n')).not.toContain('\nid ')
    const { code, text } = await firn('tx', 'sign', halfSigned, '--utxos', others, '--keys', key)
    expect([code, text]).toEqual([1, expect.stringContaining(`got one by ${signedBy[0]}`)])
  })

  it('finds the chain of hex', async () => {
    const chain = { networkID: 1, blockchainID: new Uint8Array(32).fill(2) }
    const memo = new Uint8Array()
    const base = { type: 'BaseTx', ...chain, outputs: [], inputs: [], memo } as const
    const exported = { type: 'ExportTx', ...chain, destinationChain: chain.blockchainID } as const
    const account = { address: new Uint8Array(20).fill(3), amount: 5n, assetID: Id.EMPTY, nonce: 4n }
    const atomic = { ...exported, inputs: [account], exportedOutputs: [] }
    for (const [hex, line] of [
      [Hex.encode(AvmTx.encodeUnsigned(base)), 'BaseTx on the X-chain'],
      [Hex.encode(AvmTx.encode({ unsignedTx: base, credentials: [] })), 'BaseTx on the X-chain'],
      [Hex.encode(AtomicTx.encodeUnsigned(atomic)), 'ExportTx on the C-chain'],
    ] as const)
      expect((await firn('tx', 'decode', hex)).out[0]).toContain(line)
    const { out } = await firn('tx', 'decode', Hex.encode(AtomicTx.encodeUnsigned(atomic)))
    expect(out.at(-1)).toBe(`needs the signatures of 0x${'03'.repeat(20)}`)
  })

  it.each(['tx decode', 'tx sign'])('says what other bytes come closest to: %s', async (command) => {
    const more = command === 'tx sign' ? ['--keys', key] : []
    const { code, text } = await firn(...command.split(' '), halfSigned.slice(0, -12), ...more)
    expect(code).toBe(1)
    expect(text).toContain(
      'expected a transaction; the closest match is P-chain transaction: expected 65 bytes',
    )
  })
})

const secret = new Uint8Array(32).fill(7)
const key = save('key', Hex.encode(secret))

describe('firn tx sign', () => {
  it('adds the signature of a key to a transaction that another owner has signed, without UTXOs', async () => {
    const own = PublicKey.address(PrivateKey.publicKey(secret))
    const { out } = await firn('tx', 'sign', halfSigned, '--keys', key)
    const decoded = await firn('tx', 'decode', out[0] ?? '')
    const name = Address.format({ chain: 'P', hrp: 'avax', payload: own })
    expect(decoded.out.slice(-2)).toEqual([
      `signed by ${name}, ${signedBy[0]}`,
      expect.stringContaining('id '),
    ])
  })

  it('signs a transaction without credentials', async () => {
    const { out } = await firn('tx', 'sign', unsigned, '--keys', key)
    const draft = Signing.decode('P', bytes, {
      utxos: [PlatformUtxo.decode(Hex.decode(utxoOf(owners) as `0x${string}`))],
    })
    expect(Signing.missing(draft)).toHaveLength(2)
    expect((await firn('tx', 'decode', out[0] ?? '')).out.at(-1)).toMatch(/^id /)
  })

  it('rejects a signature that is not by the account of an export of the C-chain', async () => {
    const id = new Uint8Array(32).fill(2)
    const account = { address: new Uint8Array(20).fill(3), amount: 5n, assetID: id, nonce: 4n }
    const tx = {
      ...({ type: 'ExportTx', networkID: 1, blockchainID: id, destinationChain: id } as const),
      ...{ inputs: [account], exportedOutputs: [] },
    }
    const other = PublicKey.evmAddress(PrivateKey.publicKey(secret))
    const draft = Signing.create('C', tx, { utxos: [] })
    const signed = Signing.sign({ ...draft, signers: [{ type: 'Credential', addresses: [other] }] }, [secret])
    const { code, text } = await firn('tx', 'sign', Hex.encode(Signing.encode(signed)), '--keys', key)
    const sentence = `expected a signature by 0x${'03'.repeat(20)}, got one by ${EvmAddress.format(other)}`
    expect([code, text]).toEqual([1, expect.stringContaining(sentence)])
  })
})

describe('firn tx export', () => {
  const account = ['--account', `0x${'03'.repeat(20)}`, '--balance', `${10n ** 20n}`, '--nonce', '3']
  const target = `${signedBy[0]}=1`

  it('names the account of the C-chain that must sign, which needs no keys', async () => {
    const chain = ['--chain', 'C', '--base-fee', '25000000000']
    const { code, text } = await firn('tx', 'export', target, ...chain, ...account)
    const note = `signatures missing: 0x${'03'.repeat(20)}; pass this to firn tx sign`
    expect([code, text]).toEqual([0, expect.stringContaining(note)])
  })

  it('needs signers of other chains although an account is named', async () => {
    const { code, text } = await firn('tx', 'export', target.replace('P-', 'X-'), ...account)
    expect([code, text]).toEqual([2, expect.stringContaining('pass --keys <file> or --from')])
  })
})

describe('firn decode', () => {
  it('reads a transaction without credentials', async () => {
    const { out, text } = await firn('decode', unsigned)
    expect(out[0]).toBe('P-chain unsigned transaction')
    expect(text).toContain(`hash: ${Hex.encode(Id.hash(bytes))}`)
    expect(text).toContain('missingUnknown: 2')
  })

  it('says who has signed', async () => {
    expect((await firn('decode', halfSigned)).text).toMatch(new RegExp(`signedBy[^]*${signedBy[0]}`))
  })

  it('says what bytes come closest to', async () => {
    const { text } = await firn('decode', `${unsigned}01`)
    expect(text).toContain('of no known structure')
    expect(text).toMatch(/closestMatch: P-chain /)
  })
})
