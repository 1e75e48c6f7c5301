import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ProofOfPossession, PublicKey, SecretKey, Signature } from '@firn/bls'
import { Hex } from '@firn/codec'
import { StakingCertificate } from '@firn/keys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as OwnIdentity from './OwnIdentity.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-identity-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const load = () => OwnIdentity.load(OwnIdentity.files(folder))
const file = (name: string) => join(folder, 'staking', name)

test('creates an identity at the first start and uses the same identity later', async () => {
  const first = await load()
  const again = await load()
  expect(again).toEqual({ ...first, peer: expect.anything() })
  expect(again.peer.certificate).toEqual(first.peer.certificate)
  expect((await readdir(join(folder, 'staking'))).sort()).toEqual(['signer.key', 'staker.crt', 'staker.key'])
  for (const name of ['signer.key', 'staker.crt', 'staker.key']) {
    expect((await stat(file(name))).mode & 0o777, name).toBe(0o600)
  }
})

test('reads identity files that a node has written', async () => {
  const { nodeId, publicKey, proofOfPossession } = await load()
  const certificate = StakingCertificate.parsePem(await readFile(file('staker.crt'), 'utf8'))
  expect(StakingCertificate.nodeId(certificate.der)).toEqual(nodeId)
  expect(SecretKey.publicKey(SecretKey.decode(await readFile(file('signer.key')))).compressed).toEqual(
    publicKey,
  )
  const key = PublicKey.decode(publicKey)
  expect(ProofOfPossession.verify(key, publicKey, Signature.decode(proofOfPossession))).toBe(true)
})

test('creates the certificate for an existing key if the first start was interrupted', async () => {
  await load()
  const key = await readFile(file('staker.key'))
  await rm(file('staker.crt'))
  const { peer } = await load()
  expect(await readFile(file('staker.key'))).toEqual(key)
  expect(peer.tlsSign(Uint8Array.of(1)).length).toBeGreaterThan(60)
})

test.each<[string, string, string | Uint8Array | undefined]>([
  ['a certificate without its key', 'staker.key', undefined],
  ['a key of another certificate', 'staker.key', 'other'],
  ['an invalid certificate', 'staker.crt', 'nothing'],
  ['a BLS key that is too short', 'signer.key', new Uint8Array(31)],
  ['a BLS key of zero', 'signer.key', new Uint8Array(32)],
])('rejects %s without overwriting any file', async (_case, name, contents) => {
  await load()
  if (contents === undefined) await rm(file(name))
  else await writeFile(file(name), contents === 'other' ? await anotherKey() : contents)
  const before = await readdir(join(folder, 'staking'))
  await expect(load()).rejects.toMatchObject({ code: 'NODE_CONFIGURATION' })
  expect(await readdir(join(folder, 'staking'))).toEqual(before)
})

async function anotherKey(): Promise<Buffer> {
  const other = join(folder, 'other')
  await mkdir(other)
  await OwnIdentity.load(OwnIdentity.files(other))
  return readFile(join(other, 'staking', 'staker.key'))
}

test('returns the same identity to concurrent calls', async () => {
  const found = await Promise.all(Array.from({ length: 16 }, load))
  const texts = found.map(({ nodeId, publicKey }) => `${Hex.encode(nodeId)} ${Hex.encode(publicKey)}`)
  expect(new Set(texts).size).toBe(1)
  expect(await readdir(join(folder, 'staking'))).toHaveLength(3)
})

test('returns the same identity to processes that start at the same time', async () => {
  const script = fileURLToPath(new URL('../testing/printIdentity.ts', import.meta.url))
  const start = () =>
    promisify(execFile)(process.execPath, ['--conditions=source', '--no-warnings', script, folder])
  const printed = await Promise.all(Array.from({ length: 3 }, start))
  const [first, ...others] = printed.map(({ stdout }) => stdout)
  expect(first).toMatch(/^0x[0-9a-f]{40} 0x[0-9a-f]{96}\n$/)
  for (const other of others) expect(other).toBe(first)
})

test('creates a different identity each time if the identity is not stored', () => {
  expect(OwnIdentity.create().nodeId).not.toEqual(OwnIdentity.create().nodeId)
})
