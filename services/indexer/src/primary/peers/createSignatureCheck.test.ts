import { Id } from '@firn/codec'
import { Identity } from '@firn/p2p'
import { silentLogger, systemClock } from '@firn/runtime'
import { longChain, Recordings } from '@firn/store/testing'
import type { Block } from '@firn/sync'
import { Container } from '@firn/txs'
import { expect, it, onTestFinished } from 'vitest'
import { createSignatureCheck } from './createSignatureCheck.ts'

it.each([1, 130])('finds the wrong signature of %i containers', async (count) => {
  const check = createSignatureCheck(systemClock, silentLogger)
  onTestFinished(check.close)
  const { certificate, tlsSign: sign } = Identity.create({ blsSign: () => new Uint8Array(96) })
  const chain = longChain(Recordings.load('local'), count, () => ({ certificate, sign }))
  const containers = Array.from(chain, ({ container }) => container?.bytes ?? new Uint8Array())
  const wrong = Container.decode(containers[0] as Uint8Array)
  if (wrong.type !== 'Option') containers.push(Container.encode({ ...wrong, signature: sign(Id.EMPTY) }))
  const blocks = containers.map((bytes): Block => ({ bytes, height: 0n, id: Id.EMPTY, parentId: Id.EMPTY }))
  const expected = [...Array<boolean>(count).fill(true), false]
  expect(await check.verify(Id.EMPTY, blocks)).toEqual(expected)
  expect(await check.verify(Id.hash(Id.EMPTY), blocks)).toEqual(expected.map(() => false))
})
