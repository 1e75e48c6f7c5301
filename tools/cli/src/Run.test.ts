import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PublicKey, SecretKey, Signature } from '@firn/bls'
import { Hex, Id, NodeId } from '@firn/codec'
import { createDevnet } from '@firn/devnet'
import { Payload, ProofBundle, SignedMessage, UnsignedMessage, ValidatorSet } from '@firn/warp'
import { afterAll, describe, expect, test } from 'vitest'
import * as OptionTables from './OptionTables.ts'
import * as Run from './Run.ts'

/** Runs a `firn` command line and returns its exit code and output. */
const firn = async (...argv: readonly string[]) => {
  const out: string[] = []
  const notes: string[] = []
  const code = await Run.run(argv, {
    print: (line) => out.push(line),
    note: (line) => notes.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

const folder = mkdtempSync(join(tmpdir(), 'firn-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const keys = [1, 2, 3, 4].map((byte) => SecretKey.generate(new Uint8Array(32).fill(byte)))
const validatorSet = ValidatorSet.create(
  keys.map((key, index) => ({
    nodeId: new Uint8Array(20).fill(index + 1),
    publicKey: PublicKey.encode(SecretKey.publicKey(key)),
    weight: 25n,
  })),
)
const unsigned = UnsignedMessage.encode({
  networkID: 12_345,
  sourceChainID: new Uint8Array(32).fill(7),
  payload: Payload.encode({ type: 'Hash', hash: new Uint8Array(32).fill(9) }),
})

/** Returns the message signed by the first `count` validators in canonical order. */
const signedBy = (count: number): string => {
  const indices = Array.from({ length: count }, (_, index) => index)
  const signers = indices.map((index) => {
    const publicKey = validatorSet.validators[index]?.publicKey as PublicKey.PublicKey
    return keys.find(
      (key) => PublicKey.compare(SecretKey.publicKey(key), publicKey) === 0,
    ) as SecretKey.SecretKey
  })
  const aggregate = Signature.aggregate(signers.map((key) => Signature.sign(key, unsigned)))
  const message = SignedMessage.create(UnsignedMessage.decode(unsigned), indices, Signature.encode(aggregate))
  return Hex.encodeBare(SignedMessage.encode(message))
}

const bundle = ProofBundle.create({
  networkId: 12_345,
  signingSubnetId: new Uint8Array(32),
  pChainHeight: 5n,
  validatorSet,
})
const bundleFile = save('bundle.json', ProofBundle.format(bundle))

describe('decode', () => {
  test.each([
    ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', ['NodeID', '0x479f66c8be895830547e70b4b298cafd433dba6e']],
    ['P-custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p', ['address', 'chain: P', 'hrp: custom', '0x3cb7d384']],
    ['custom18jma8ppw3nhx5r4ap8clazz0dps7rv5u9xde7p', ['address', 'hrp: custom']],
    ['2W8hCuRA7896rG26WX4tWhsydaZ43LivbuH4oQ3Ptm21jMH78U', ['cb58 of 32 bytes', '0xc5d866f8']],
    ['0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC', ['20 bytes', 'evmAddress: 0x8db97C7c']],
    [Hex.encodeBare(unsigned), ['UnsignedMessage', 'networkID: 12345', 'payload: Hash']],
    [`0x${signedBy(3)}`, ['SignedMessage', 'indices: 0, 1, 2', 'payload: Hash']],
    ['0x', ['0 bytes']],
    ['0x00000000000000000000', ['10 bytes of no known structure']],
  ])('decodes %s', async (text, parts) => {
    const { code, out } = await firn('decode', text)
    expect(code).toBe(0)
    for (const part of parts) expect(out).toContain(part)
  })

  test('decodes a file that contains hex and a file that contains JSON', async () => {
    const { out } = await firn('decode', '--json', save('message.hex', `${Hex.encodeBare(unsigned)}\n`))
    expect(JSON.parse(out)).toMatchObject({ kind: 'UnsignedMessage', networkID: 12_345 })
    expect((await firn('decode', bundleFile)).out).toContain('proof bundle')
  })

  test.each(['signedMessage', 'signed-message'])(
    "decodes the signed message from the member %s of an aggregator's response",
    async (member) => {
      const { out } = await firn('decode', save('answer.json', JSON.stringify({ [member]: signedBy(3) })))
      expect(out).toContain('SignedMessage')
    },
  )

  test('prints the addresses of a private key, but not the key', async () => {
    const text = 'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN'
    const { out } = await firn('decode', text)
    expect(out).toContain('evmAddress: 0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC')
    expect(out).not.toContain('ewoqjP7')
  })

  test.each([
    ...['hello!', 'NodeID-x', 'PrivateKey-1', '{"a":1}', '{}'].map(
      (text) => [text, /^firn: .*expected .+/] as const,
    ),
    ['{"validators":1}', /^firn: required member is missing \(in .+\)/] as const,
  ])('reports %s in one sentence', async (text, sentence) => {
    const { code, out, notes } = await firn('decode', text)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(notes).toMatch(sentence)
    expect(notes.split('\n')).toHaveLength(1)
  })
})

describe('verify with a proof bundle', () => {
  const withBundle = (message: string, ...more: readonly string[]) =>
    firn('verify', message, '--bundle', bundleFile, ...more)

  test('prints the validators that signed and their weight', async () => {
    const { code, out } = await withBundle(signedBy(3))
    expect(code).toBe(0)
    expect(out).toContain('weight 75 of 100 signed (75.00 %, quorum 67.00 %)')
    for (const { nodeIds } of validatorSet.validators.slice(0, 3)) {
      expect(out).toContain(NodeId.format(nodeIds[0] as Uint8Array))
    }
    expect(out).not.toContain(NodeId.format(validatorSet.validators[3]?.nodeIds[0] as Uint8Array))
  })

  test('verifies the message and the proof bundle from one response of the aggregator', async () => {
    const text = `{"signedMessage":"${signedBy(4)}","proof":${ProofBundle.format(bundle)}}`
    const answer = save('answer.json', text)
    expect(await firn('verify', answer, '--bundle', answer)).toMatchObject({ code: 0 })
  })

  test('rejects a message with too little weight, and accepts it with a lower quorum', async () => {
    expect(await withBundle(signedBy(2))).toMatchObject({
      code: 1,
      out: expect.stringContaining('INSUFFICIENT_WEIGHT'),
    })
    expect(await withBundle(signedBy(2), '--quorum', '50')).toMatchObject({ code: 0 })
  })

  test('rejects a message that was changed after signing', async () => {
    const changed = signedBy(4).replace('0909', '0908')
    const { code, out, notes } = await withBundle(changed)
    expect(code).toBe(1)
    expect(out).toContain('INVALID_SIGNATURE')
    expect(notes).toContain('firn: the message is not valid')
  })

  test.each([
    ['an invalid message', ['verify', '00', '--bundle', bundleFile], 'byte'],
    ['a missing file', ['verify', signedBy(4), '--bundle', 'none.json'], 'does not exist'],
    [
      'an unreachable node',
      ['verify', signedBy(4), '--upstream', 'http://127.0.0.1:1'],
      'cannot reach 127.0.0.1:1',
    ],
    ['an empty file', ['verify', save('empty', ''), '--bundle', bundleFile], 'is empty; pass a text'],
    ['JSON without a message', ['verify', '{}', '--bundle', bundleFile], 'signedMessage'],
  ])('reports %s in one sentence', async (_, argv, sentence) => {
    const { code, notes } = await firn(...argv)
    expect(code).toBe(1)
    expect(notes).toContain(sentence)
    expect(notes.split('\n')).toHaveLength(1)
  })
})

describe('verify with a node', () => {
  test('points to --height if the validators at the height have not signed the message', async () => {
    const devnet = await createDevnet({ validators: 5, networkId: 12_345 })
    const argv = ['verify', '--upstream', devnet.rpcUrl, '--subnet', Id.format(Id.EMPTY)]
    const { code, out } = await firn(...argv, signedBy(4))
    expect(code).toBe(1)
    expect(out).toMatch(/not valid +INVALID_SIGNATURE.*\n.*\nhint .*pass their P-chain height as --height/)
    const malformed = await firn(...argv, `${signedBy(4).slice(0, -2)}00`)
    expect(malformed.out).toContain('MALFORMED_SIGNATURE')
    expect(malformed.out).not.toContain('hint')
    await devnet.close()
  })
})

describe('usage', () => {
  test.each<[readonly string[], string]>([
    [[], 'firn: expected a command: start, '],
    [['vrify'], 'firn: unknown command "vrify"; did you mean verify? See firn --help.'],
    [['decode'], 'firn decode: <anything> is missing. See firn decode --help.'],
    [
      ['verify', 'x', '--quorum', '101'],
      'firn verify: --quorum: expected a whole number from 0 to 100, got "101".',
    ],
    [['verify', 'x'], 'firn verify: pass either --bundle <path> or --upstream <url>'],
    [['verify', 'x', '--bundle', 'b', '--upstream', 'http://a'], 'firn verify: pass either --bundle'],
    [['verify', 'x', '--upstream', 'localhost'], 'firn verify: --upstream: expected a URL such as'],
    [
      ['start', '--validators', '0'],
      'firn start: --validators: expected a whole number from 1 to 10000, got "0".',
    ],
    [['tx', 'sign', 'x'], 'firn tx sign: --keys <path> is missing. See firn tx sign --help.'],
    [['evm'], 'firn evm: nothing to follow: pass --chain <url> or --demo. See firn evm --help.'],
    [['gateway'], 'firn gateway: --chain <id=url,…> is missing. See firn gateway --help.'],
    [
      ['index', '--upstram', 'x'],
      'firn index: unknown option --upstram; did you mean --upstream? See firn index --help.',
    ],
  ])('reports the command line %j in one sentence with exit status 2', async (argv, message) => {
    const { code, out, notes } = await firn(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(notes.slice(0, message.length)).toBe(message)
    expect(notes.split('\n')).toHaveLength(1)
  })

  test('exits with status 0 after printing help', async () => {
    const { code, out } = await firn('--help')
    expect(code).toBe(0)
    for (const name of ['start', 'devnet', 'aggregator', 'aggregate', 'verify', 'decode', 'conformance']) {
      expect(out).toContain(name)
    }
  })

  test('prints a version, and help with an example, for every command', async () => {
    const names = [...(await OptionTables.commands()).keys()].map((name) => name.split(' ').slice(1))
    expect(names.length).toBeGreaterThan(25)
    for (const name of names) {
      const { code, out } = await firn(...name, '--help')
      expect([code, out.split('\n')[0]]).toEqual([
        0,
        expect.stringContaining(`Usage: firn ${name.join(' ')}`),
      ])
      expect(out).toContain(`Example:\n  firn ${name.join(' ')}`)
      const version = await firn(...name, '--version')
      expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    }
  })

  test('returns the exit status of the conformance command', async () => {
    expect(await firn('conformance')).toMatchObject({ code: 2 })
    expect(await firn('conformance', '--help')).toMatchObject({ code: 0 })
  })

  test('reports an unreachable aggregator in one sentence', async () => {
    const argv = ['aggregate', Hex.encodeBare(unsigned), '--aggregator', 'http://127.0.0.1:1'] as const
    const { code, notes } = await firn(...argv)
    expect(code).toBe(1)
    expect(notes).toContain('firn: No aggregator responds at http://127.0.0.1:1.')
  })
})
