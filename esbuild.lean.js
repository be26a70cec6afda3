import { lean as leanMessages } from './esbuild.page.js';

/** Leaves Ajv out of the executables, which the SDK sets up even where another validator is handed to it. */
export const lean = {
  name: 'lean',
  setup(builder) {
    leanMessages.setup(builder);
    builder.onLoad({ filter: /[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: "export { ZodValidator as AjvJsonSchemaValidator } from './src/mcp/zodValidator.ts';",
      resolveDir: import.meta.dirname,
    }));
  },
};
