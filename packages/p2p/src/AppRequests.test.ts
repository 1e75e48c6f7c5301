import { describe, expect, test } from 'vitest'
import { aim, connected, listen, REQUEST, start } from './testing/network.ts'
import { CHAIN, cheapIdentity, settle, welcome } from './testing/raw.ts'

describe('requests', () => {
  test('sends requests with an odd id, the deadline and the bytes, and returns a response or an error as the answer', async () => {
    const { network, raw, nodeId } = await connected()
    const first = network.request(nodeId, REQUEST)
    const seen = await raw.next('appRequest')
    expect(seen).toMatchObject({ chainId: CHAIN, deadline: 5_000_000_000n, appBytes: REQUEST.bytes })
    expect(seen.requestId % 2).toBe(1)
    raw.send(
      { case: 'appResponse', value: { chainId: CHAIN, requestId: seen.requestId, appBytes: CHAIN } },
      { compress: true },
    )
    expect(await first).toEqual({ kind: 'response', bytes: CHAIN })
    const second = network.request(nodeId, { ...REQUEST, deadlineMs: 60_000 })
    const next = await raw.next('appRequest')
    expect(next).toMatchObject({ requestId: seen.requestId + 2, deadline: 10_000_000_000n })
    raw.send({
      case: 'appError',
      value: { chainId: CHAIN, requestId: next.requestId, errorCode: -2, errorMessage: 'no' },
    })
    expect(await second).toEqual({ kind: 'error', code: -2, message: 'no' })
  })
  test('times out a request by the local clock and counts a later answer', async () => {
    const { network, raw, nodeId, timers } = await connected()
    const answer = network.request(nodeId, REQUEST)
    const { requestId } = await raw.next('appRequest')
    timers.advance(4_999)
    await settle(raw)
    timers.advance(1)
    expect(await answer).toEqual({ kind: 'timeout' })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId } })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId } })
    await settle(raw)
    expect(network.counters).toMatchObject({ lateAnswers: 1, repeatedAnswers: 1, unsolicitedAnswers: 0 })
  })
  test('accepts exactly one answer per request and counts repeated, foreign and unsolicited answers', async () => {
    const { network, raw, nodeId } = await connected()
    const answer = network.request(nodeId, REQUEST)
    const { requestId } = await raw.next('appRequest')
    raw.send({
      case: 'appResponse',
      value: { chainId: new Uint8Array(32), requestId, appBytes: Uint8Array.of(0) },
    })
    raw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: requestId + 2, appBytes: Uint8Array.of(0) },
    })
    for (let i = 1; i <= 3; i++) {
      raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId, appBytes: Uint8Array.of(i) } })
    }
    raw.send({ case: 'appError', value: { chainId: CHAIN, requestId } })
    expect(await answer).toEqual({ kind: 'response', bytes: Uint8Array.of(1) })
    await settle(raw)
    expect(network.counters).toMatchObject({ unsolicitedAnswers: 2, repeatedAnswers: 3, lateAnswers: 0 })
  })
  test('encodes a request to many nodes once, and uses a new id for a second request to the same node', async () => {
    const rig = await connected()
    const other = await listen()
    aim(rig, { nodeId: other.identity.nodeId, address: other.address })
    const otherRaw = await other.next()
    await welcome(otherRaw, rig.now())
    await rig.network.connected(other.identity.nodeId)
    const nodeIds = [rig.nodeId, other.identity.nodeId, rig.nodeId]
    const all = nodeIds.map((nodeId) => rig.network.request(nodeId, REQUEST))
    const [first, again] = [await rig.raw.next('appRequest'), await rig.raw.next('appRequest')]
    const second = await otherRaw.next('appRequest')
    expect(second.requestId).toBe(first.requestId)
    expect(again.requestId).not.toBe(first.requestId)
    rig.raw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: again.requestId, appBytes: Uint8Array.of(3) },
    })
    otherRaw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: second.requestId, appBytes: Uint8Array.of(2) },
    })
    rig.raw.send({
      case: 'appResponse',
      value: { chainId: CHAIN, requestId: first.requestId, appBytes: Uint8Array.of(1) },
    })
    const bytes = (await Promise.all(all)).map((answer) =>
      answer.kind === 'response' ? answer.bytes[0] : undefined,
    )
    expect(bytes).toEqual([1, 2, 3])
  })
  test('queues requests beyond 64 per connection until another request times out or is answered', async () => {
    const { network, raw, nodeId, timers } = await connected()
    const answers = Array.from({ length: 70 }, (_, i) =>
      network.request(nodeId, { ...REQUEST, deadlineMs: i === 0 ? 1_000 : 5_000 }),
    )
    await settle(raw)
    const seen = () => raw.received.filter((message) => message.case === 'appRequest').length
    expect(seen()).toBe(64)
    const { requestId } = await raw.next('appRequest')
    timers.advance(1_000)
    await settle(raw)
    expect(await answers[0]).toEqual({ kind: 'timeout' })
    expect(seen()).toBe(64)
    const second = await raw.next('appRequest')
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: second.requestId } })
    expect(await answers[1]).toMatchObject({ kind: 'response' })
    await settle(raw)
    expect(seen()).toBe(64)
    expect(second.requestId).toBeGreaterThan(requestId)
    timers.advance(4_000)
    expect(new Set((await Promise.all(answers.slice(2))).map(({ kind }) => kind))).toEqual(
      new Set(['timeout']),
    )
  })
  test('rejects aborted requests, both queued and in flight', async () => {
    const { network, raw, nodeId } = await connected({ limits: { requestsInFlight: 1 } })
    const controller = new AbortController()
    const answers = [1, 2, 3].map(() => network.request(nodeId, REQUEST, controller.signal))
    const { requestId } = await raw.next('appRequest')
    controller.abort(new Error('enough'))
    for (const answer of answers)
      await expect(answer).rejects.toMatchObject({ code: 'P2P_ABORTED', cause: { message: 'enough' } })
    await expect(network.request(nodeId, REQUEST, controller.signal)).rejects.toMatchObject({
      code: 'P2P_ABORTED',
    })
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId } })
    await settle(raw)
    expect(network.counters.lateAnswers).toBe(1)
    const after = network.request(nodeId, REQUEST)
    const { requestId: next } = await raw.next('appRequest')
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: next } })
    expect(await after).toMatchObject({ kind: 'response' })
  })
  test('reports why a node is not connected when a request is sent to it', async () => {
    const { network } = start()
    const nodeId = cheapIdentity().nodeId
    expect(await network.request(nodeId, REQUEST)).toEqual({ kind: 'disconnected', reason: 'not tracked' })
    network.track([nodeId])
    expect(await network.request(nodeId, REQUEST)).toEqual({
      kind: 'disconnected',
      reason: 'no address is known',
    })
  })
  test.each([
    ['a chain id of 31 bytes', { ...REQUEST, bytes: Uint8Array.of(1), chainId: CHAIN.subarray(1) }],
    ['no deadline', { ...REQUEST, bytes: Uint8Array.of(1), deadlineMs: 0 }],
  ])('rejects a request with %s', async (_, request) => {
    await expect(start().network.request(CHAIN.subarray(12), request)).rejects.toMatchObject({
      code: 'P2P_ARGUMENT',
    })
  })
  test('answers requests from the node with the error "unregistered handler"', async () => {
    const { raw } = await connected()
    raw.send({
      case: 'appRequest',
      value: { chainId: CHAIN, requestId: 4, deadline: 10n ** 9n, appBytes: CHAIN },
    })
    expect(await raw.next('appError')).toMatchObject({ requestId: 4, errorCode: -2 })
  })
})
