import Fastify from 'fastify'
import { verify } from './verify.ts'

const { NODE_URL = 'http://127.0.0.1:9650', PORT = '3000' } = process.env
const app = Fastify()

const schema = {
  body: {
    type: 'object',
    required: ['signedMessage'],
    properties: { signedMessage: { type: 'string', pattern: '^(0x)?([0-9a-fA-F]{2})+$' } },
  },
} as const

app.post<{ Body: { signedMessage: string } }>('/messages', { schema }, async ({ body }, reply) => {
  const verdict = await verify(NODE_URL, body.signedMessage)
  return reply.code(verdict.ok ? 200 : 422).send(verdict)
})

console.log(`verifies messages at ${await app.listen({ host: '127.0.0.1', port: Number(PORT) })}/messages`)
