import { createOpenRpc, type OpenRpcMethod } from '@firn/rpc/openrpc'
import type { Page } from '../Page.ts'
import { cell, type Document, memberRows, type Schema, table, typeOf } from './Rest.ts'

const FOLDER = 'reference/rpc'

const methodText = (
  document: Document,
  { name, summary, servers, params, result, examples }: OpenRpcMethod,
): string => {
  const rows = params.map(({ name: parameter, required, schema, summary: text }) => {
    const type = cell(typeOf(document, schema as Schema))
    return `| \`${parameter}\`${required ? '' : ' (optional)'} | \`${type}\` | ${cell(text)} |`
  })
  const [example] = examples
  const call = example && {
    jsonrpc: '2.0',
    id: 1,
    method: name,
    params: Object.fromEntries(example.params.map((one) => [one.name, one.value])),
  }
  return [
    `## ${name}\n\n${summary}\n\n`,
    `Paths: ${servers.map((server) => `\`${server.name}\``).join(', ')}\n\n`,
    table('| argument | type | meaning |', rows),
    table('| member of the result | type | meaning |', memberRows(document, result.schema as Schema)),
    call ? `\`\`\`json\n${JSON.stringify(call, null, 2)}\n\`\`\`\n\n` : '',
  ].join('')
}

/** Returns a page for each API of a node, from the OpenRPC document that the node API serves. */
export const pages = (): readonly Page[] => {
  const { methods, components } = createOpenRpc({ title: 'Firn', version: '0', url: 'http://127.0.0.1:8701' })
  const document: Document = { paths: {}, components: components as NonNullable<Document['components']> }
  const tags = [...new Set(methods.map(({ tags: [tag] }) => tag?.name ?? 'Other'))]
  return tags.map((tag) => {
    const own = methods.filter(({ tags: [first] }) => (first?.name ?? 'Other') === tag)
    const texts = own.map((method) => methodText(document, method))
    const path = `${FOLDER}/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`
    return { path, text: `---\noutline: [2, 2]\n---\n\n# ${tag}\n\n${texts.join('')}` }
  })
}

/** Returns the overview of these pages. */
export const overview = (found: readonly Page[]): Page => ({
  path: `${FOLDER}/index.md`,
  text: `# JSON-RPC

The methods of a node's APIs, as the node API serves them. A running service has the same in its OpenRPC document at \`/openrpc.json\`.
[How to run one](../../guides/node.md)

${found.map(({ path, text }) => `- [${/^# (.+)$/m.exec(text)?.[1]}](./${path.slice(FOLDER.length + 1)})`).join('\n')}
`,
})
