import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { until } from '@firn/runtime/testing'
import { expect, test, vi } from 'vitest'
import type { GatewayContext } from '../request/Context.ts'
import type { Metrics } from './Metrics.ts'
import { answerOperator } from './Operations.ts'

test('answers 500, logs the reason and goes on when the answer to an operator cannot be created', async () => {
  const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/metrics' })
  const response = new ServerResponse(request)
  const end = vi.fn()
  const warn = vi.fn()
  const context = {
    admission: { begin: () => end },
    trusted: { kind: 'none' },
    log: { info: vi.fn(), warn },
  } as never as GatewayContext
  const error = new Error('EMFILE: too many open files')
  const metrics = { text: () => Promise.reject(error) } as never as Metrics
  expect(answerOperator(request, response, context, metrics)).toBe(true)
  await until(() => expect(end).toHaveBeenCalledOnce())
  expect(response.statusCode).toBe(500)
  expect(response.writableEnded).toBe(true)
  expect(warn).toHaveBeenCalledWith({ err: error }, 'request of an operator failed')
})
