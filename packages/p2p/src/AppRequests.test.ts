import { create } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { createEncoder, MAX_REQUEST_BYTES } from './AppRequests.ts'
import { createCounters } from './Counters.ts'
import * as Frame from './Frame.ts'
import { AppResponseSchema } from './gen/p2p_pb.ts'
import { OutboundRequests } from './internal/OutboundRequests.ts'
import { createIds } from './internal/request.ts'
import { CLIENT } from './Limits.ts'
import { createManualTimers } from './Timers.ts'
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
    // The time starts when the write ends, which may be after the remote side has read the request.
    await settle(raw)
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
    const kinds = async (some: typeof answers) => new Set((await Promise.all(some)).map(({ kind }) => kind))
    expect(await kinds(answers.slice(2, 64))).toEqual(new Set(['timeout']))
    await settle(raw)
    expect(seen()).toBe(68)
    timers.advance(5_000)
    expect(await kinds(answers.slice(64))).toEqual(new Set(['timeout']))
  })
  test('starts the timer of a queued request when the request is sent', async () => {
    const { network, raw, nodeId, timers } = await connected({ limits: { requestsInFlight: 1 } })
    const sent: number[] = []
    const answers = [0, 1].map((i) => network.request(nodeId, { ...REQUEST, onSent: () => sent.push(i) }))
    await raw.next('appRequest')
    await settle(raw)
    expect(sent).toEqual([0])
    timers.advance(4_000)
    await settle(raw)
    timers.advance(1_000)
    expect(await answers[0]).toEqual({ kind: 'timeout' })
    const second = await raw.next('appRequest')
    await settle(raw)
    expect(sent).toEqual([0, 1])
    timers.advance(4_999)
    raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId: second.requestId, appBytes: CHAIN } })
    expect(await answers[1]).toEqual({ kind: 'response', bytes: CHAIN })
    expect(sent).toEqual([0, 1])
  })
  test('calls onLateAnswer with the first answer after a time-out or an abort', async () => {
    const { network, raw, nodeId, timers } = await connected()
    const late: unknown[] = []
    const controller = new AbortController()
    const request = { ...REQUEST, onLateAnswer: (answer: unknown) => late.push(answer) }
    const slow = network.request(nodeId, request)
    const aborted = network.request(nodeId, request, controller.signal)
    const requestIds = [(await raw.next('appRequest')).requestId, (await raw.next('appRequest')).requestId]
    await settle(raw)
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ code: 'P2P_ABORTED' })
    timers.advance(5_000)
    expect(await slow).toEqual({ kind: 'timeout' })
    for (const requestId of [...requestIds, ...requestIds])
      raw.send({ case: 'appResponse', value: { chainId: CHAIN, requestId, appBytes: CHAIN } })
    await settle(raw)
    const answer = { kind: 'response', bytes: CHAIN }
    expect(late).toEqual([answer, answer])
    expect(network.counters).toMatchObject({ lateAnswers: 2, repeatedAnswers: 2 })
  })
  test('accepts an answer that arrived before the time-out, even if it is read afterwards', async () => {
    const timers = createManualTimers()
    const afterInput: (() => void)[] = []
    const requests = new OutboundRequests({
      limits: CLIENT,
      timers: { ...timers, afterInput: (callback) => void afterInput.push(callback) },
      counters: createCounters(),
      send: (_, onWritten) => {
        onWritten()
        return true
      },
    })
    const encoded = createEncoder({ compress: false, nextId: createIds(1) })(REQUEST)
    const answers = [1, 2].map(() => requests.request(encoded, { deadlineMs: 1_000 }, undefined))
    timers.advance(1_000)
    requests.answer({
      case: 'appResponse',
      value: create(AppResponseSchema, {
        chainId: encoded.chainId,
        requestId: encoded.requestId,
        appBytes: CHAIN,
      }),
    })
    for (const callback of afterInput) callback()
    expect(await Promise.all(answers)).toEqual([{ kind: 'response', bytes: CHAIN }, { kind: 'timeout' }])
  })
  test('reports a request as unsent if the queue for the peer is full', async () => {
    const { network, nodeId } = await connected({ limits: { requestsInFlight: 1, requestsWaiting: 1 } })
    const answers = [1, 2, 3].map(() => network.request(nodeId, REQUEST))
    expect(await answers[2]).toEqual({
      kind: 'unsent',
      reason: 'too many requests: 1 are already queued for this peer',
    })
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

describe('MAX_REQUEST_BYTES', () => {
  test('is the longest request that fits into a frame, for every id and deadline', () => {
    const encode = createEncoder({ compress: false, nextId: createIds(0xffff_ffff) })
    const request = (length: number) => ({
      chainId: CHAIN,
      bytes: new Uint8Array(length),
      deadlineMs: 10_000,
    })
    const { frame } = encode(request(MAX_REQUEST_BYTES))
    expect(frame).toHaveLength(Frame.HEADER_LENGTH + Frame.MAX_LENGTH)
    const again = createEncoder({ compress: false, nextId: createIds(0xffff_ffff) })
    expect(() => again(request(MAX_REQUEST_BYTES + 1))).toThrow(
      expect.objectContaining({ code: 'P2P_FRAME_LENGTH' }),
    )
  })
})
