import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Hex, NodeId } from '@firn/codec'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import type * as Warp from './index.ts'
import { type Recording, recordings } from './testing/vectors.ts'

/** The bundle was measured at 42.3 kB. Exceeding the limit requires a good reason. */
const MAX_GZIP_SIZE = 46_600

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
    logLevel: 'silent',
  })
  return (outputFiles[0] as { text: string }).text
}

test('verifies a recorded message in a small browser bundle without Node.js modules', async () => {
  const code = await bundle()
  expect(gzipSync(code).length).toBeLessThan(MAX_GZIP_SIZE)
  expect(code).not.toMatch(/\bnode:|\bBuffer\b|\bprocess\./)

  const warp = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof Warp
  const [recording] = recordings() as readonly [Recording]
  const { validators, totalWeight, verify67 } = recording.validatorSet
  const validatorSet = warp.ValidatorSet.fromCanonical({
    totalWeight: BigInt(totalWeight),
    validators: validators.map(({ publicKeyCompressed, weight, nodeIDs: nodeIds }) => ({
      publicKey: Hex.decode(publicKeyCompressed),
      weight: BigInt(weight),
      nodeIds: nodeIds.map(NodeId.parse),
    })),
  })
  const message = warp.SignedMessage.decode(Hex.decode(recording.signedMessage))
  const result = warp.Verification.verify(message, {
    networkId: message.unsigned.networkID,
    validatorSet,
    quorum: warp.Quorum.DEFAULT,
  })
  expect(verify67).toBe('ok')
  expect(result).toMatchObject({ ok: true })
})
