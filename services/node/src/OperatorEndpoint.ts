import { type Endpoint, Exchange } from '@firn/node-api'
import { Operators } from '@firn/operate'

/** Returns the endpoint of all paths below `/operate/`. */
export function create(operators: Operators.Operators): Endpoint {
  return {
    handle(exchange) {
      const { method = '', url = '', headers, socket } = exchange.request
      // The node has no endpoint that needs a body. Its rules allow other origins, which must not read these answers.
      const own = { ...exchange, headers: [] }
      void Operators.answer({ method, url, headers, socket, body: '' }, operators).then((answer) =>
        Exchange.send(own, answer.status, Object.entries(answer.headers).flat(), answer.body),
      )
    },
  }
}
