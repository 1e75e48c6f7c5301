/** `apiPort` as the Go service and flags spell it: `api-port`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `apiPort` as environment variables spell it: `API_PORT`. */
export function upperSnake(name: string): string {
  return kebab(name).replaceAll('-', '_').toUpperCase()
}
