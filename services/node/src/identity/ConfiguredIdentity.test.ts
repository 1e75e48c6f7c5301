import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ConfiguredIdentity from './ConfiguredIdentity.ts'
import * as OwnIdentity from './OwnIdentity.ts'

let folder: string
let kept: OwnIdentity.OwnIdentity
let options: ConfiguredIdentity.IdentityOptions
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-identity-'))
  const files = OwnIdentity.files(folder)
  kept = await OwnIdentity.load(files)
  options = {
    stakingEphemeralCertEnabled: false,
    stakingTlsKeyFile: files.key,
    stakingTlsKeyFileContent: '',
    stakingTlsCertFile: files.certificate,
    stakingTlsCertFileContent: '',
    stakingSignerKeyFile: files.signer,
    stakingSignerKeyFileContent: '',
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const base64 = async (path: string) => (await readFile(path)).toString('base64')

test('returns the identity that the configured files contain', async () => {
  const { nodeId, publicKey } = await ConfiguredIdentity.load(options)
  expect([nodeId, publicKey]).toEqual([kept.nodeId, kept.publicKey])
})

test('prefers the configured contents of identity files over file paths', async () => {
  const { nodeId, publicKey } = await ConfiguredIdentity.load({
    ...options,
    stakingTlsKeyFile: join(folder, 'nowhere', 'a'),
    stakingTlsKeyFileContent: await base64(options.stakingTlsKeyFile),
    stakingTlsCertFile: join(folder, 'nowhere', 'b'),
    stakingTlsCertFileContent: await base64(options.stakingTlsCertFile),
    stakingSignerKeyFile: join(folder, 'nowhere', 'c'),
    stakingSignerKeyFileContent: await base64(options.stakingSignerKeyFile),
  })
  expect([nodeId, publicKey]).toEqual([kept.nodeId, kept.publicKey])
})

test('creates a different ephemeral identity on each load', async () => {
  const { nodeId, publicKey } = await ConfiguredIdentity.load({
    ...options,
    stakingEphemeralCertEnabled: true,
  })
  expect(nodeId).not.toEqual(kept.nodeId)
  expect(publicKey).not.toEqual(kept.publicKey)
})

describe('invalid contents', () => {
  test.each<[string, Partial<ConfiguredIdentity.IdentityOptions>]>([
    ['a key without a certificate', { stakingTlsKeyFileContent: 'AAAA' }],
    ['an invalid certificate', { stakingTlsCertFileContent: 'AAAA' }],
    ['an invalid BLS key', { stakingSignerKeyFileContent: 'AAAA' }],
  ])('rejects %s', async (_case, given) => {
    await expect(ConfiguredIdentity.load({ ...options, ...given })).rejects.toMatchObject({
      code: 'NODE_CONFIGURATION',
    })
  })

  test('rejects a key that does not match the certificate', async () => {
    const other = await OwnIdentity.stakingPair(OwnIdentity.files(join(folder, 'other')))
    expect(other.certificate).not.toEqual(kept.peer.certificate)
    const given = {
      stakingTlsKeyFileContent: await base64(OwnIdentity.files(join(folder, 'other')).key),
      stakingTlsCertFileContent: await base64(options.stakingTlsCertFile),
    }
    await expect(ConfiguredIdentity.load({ ...options, ...given })).rejects.toMatchObject({
      code: 'NODE_CONFIGURATION',
    })
  })
})
