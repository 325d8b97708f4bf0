/** What went wrong, as the server says it: an RFC 9457 problem with what to do next. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly field: string;
  readonly params: Record<string, unknown>;

  constructor(body: Partial<ProblemBody>, status: number) {
    super(body.detail || body.title || "");
    this.name = "ApiProblem";
    this.status = body.status ?? status;
    this.code = body.code ?? "";
    this.hint = body.hint ?? "";
    this.field = body.field ?? "";
    this.params = body.params ?? {};
  }
}

interface ProblemBody {
  title: string;
  status: number;
  code: string;
  detail: string;
  hint: string;
  field: string;
  params: Record<string, unknown>;
}

/** The problem in an answer that is not a success. Anything that is no problem document becomes one without words. */
export async function problemOf(answer: Response): Promise<ApiProblem> {
  try {
    return new ApiProblem((await answer.json()) as Partial<ProblemBody>, answer.status);
  } catch {
    return new ApiProblem({ code: answer.status >= 500 ? "server" : "" }, answer.status);
  }
}
