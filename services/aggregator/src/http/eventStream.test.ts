import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { createFakeClock } from '@firn/runtime/testing'
import type { FastifyReply } from 'fastify'
import { expect, it, vi } from 'vitest'
import { createEventStream } from './eventStream.ts'

it('disconnects a reader that reads nothing between two heartbeats although events are waiting', async () => {
  const clock = createFakeClock()
  const destroy = vi.fn()
  const raw = Object.assign(new EventEmitter(), { writableLength: 0, destroy })
  let body: Readable | undefined
  const send = (stream: Readable) => {
    body = stream
  }
  const reply = { raw, headers: () => ({ send }) } as unknown as FastifyReply
  const stream = createEventStream(reply, clock)
  stream.start()
  for (let beat = 0; beat < 3; beat++) {
    stream.send({ id: '1', name: 'progress', data: '{}' })
    body?.read()
    await clock.advance(15_000)
  }
  expect(destroy).not.toHaveBeenCalled()
  await clock.advance(30_000)
  expect(destroy).toHaveBeenCalledOnce()
  raw.emit('close')
})
