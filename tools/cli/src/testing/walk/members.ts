import type { Members } from './plan.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** Reads the members of bodies from the OpenAPI document of a server, if it has one. For tests only. */
export async function readMembers(url: string): Promise<Members> {
  const answer = await fetch(new URL('/openapi.json', url))
  const document = answer.ok ? ((await answer.json()) as Document) : {}
  return ({ method, path }) => {
    const content = document.paths?.[path]?.[method.toLowerCase()]?.requestBody?.content ?? {}
    const schema = Object.values(content)[0]?.schema
    const name = schema?.$ref?.split('/').at(-1)
    const found = name === undefined ? schema : document.components?.schemas?.[name]
    return Object.keys(found?.properties ?? {})
  }
}
