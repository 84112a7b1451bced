/** Operations on a screen that an agent draws, by their key in a data part: those of A2UI 0.8, and those of 0.9. */
export const a2uiOperations = [
  'beginRendering',
  'surfaceUpdate',
  'dataModelUpdate',
  'createSurface',
  'updateComponents',
  'updateDataModel',
  'deleteSurface',
] as const;
