// Written by scripts/client-types.mjs from docs/openapi.json 248e4e7073e25371721b5c0c0233b9f387bb2b7f90cbc7c4aa9c4d6b8805220e
export type paths = {
    "/agents/{agent}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run an agent (AG-UI): RunAgentInput in, events out as SSE, or as protobuf when Accept names it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunAgentInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent}/threads/{threadId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A thread's events as SSE, resumable by Last-Event-ID
         * @description Starts with the newest run for a newcomer and goes on with the next ones; `follow=false` ends when caught up.
         */
        get: {
            parameters: {
                query?: {
                    follow?: "true" | "false";
                    lastEventId?: string;
                    protocolVersion?: string;
                };
                header?: never;
                path: {
                    agent: string;
                    threadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["Agent"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent can do, by its card and the configuration, in the shape of AG-UI */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentCapabilities"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is calling */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a session for the pages by an API key; the cookie is HttpOnly */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session of the cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key to subscribe with (null: there is no channel of type push), and your browsers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Push"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Notify you in this browser; the same again is harmless */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PushDeviceBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop notifying you in this browser */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/holds/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide a yes/no question from a notification that showed all of it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PushDecisionBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DecisionReply"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What you have chosen: events, hours, digests, and who decides in your stead */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preferences"];
                    };
                };
            };
        };
        /** Choose all of it anew; in force within two seconds, and a deputy is on the record */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreferencesInput"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preferences"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your passkeys, and whether this address allows any */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnPasskeys"];
                    };
                };
            };
        };
        put?: never;
        /** Register a passkey; it is on the record, with its public key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPasskey"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Passkey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Options to create a passkey with; whoever has one already vouches for the new one with it (`vouching`) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasskeyOptions"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The passkeys of everybody */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Passkeys"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/passkeys/revocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a passkey: the first operator asks for it, and it is done once another one does the same */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyRevocation"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RevokedPasskey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How one can sign in */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoginMethods"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tasks, newest first
         * @description `mine=true`: only what the caller began, also for operators, who see everything. `q`: words of what they began with, of agent and requester, by their names too. `waiting` has the open questions of each.
         */
        get: {
            parameters: {
                query?: {
                    status?: string | string[];
                    mine?: "true" | "false";
                    q?: string;
                    /** @description how the id begins: what people type is short */
                    id?: string;
                    agent?: string;
                    cursor?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["Task"][];
                            nextCursor: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task, by its workflow while it runs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a task, at the agent too; 202 when the agent has not answered yet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of a task, oldest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["TimelineEntry"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try a failed task anew, with the message it began with; again gives the same new task */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A task's conversation: messages, questions and answers
         * @description What is kept here, and what only the agent knows in its place (`source: agent`): sent through another client, or before the task came here. Without the agent’s answer within two seconds it is what is kept here (`source: stored`).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Chat"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/chat/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person's word to the agent: now, before a decision, or as the thread's next task
         * @description For the owner, operators, and who may decide an open question of the task. The same `messageId` again is taken once; with other words it is refused with `run_conflict`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChatBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatReply"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a question of this caller stands, by its id; waits up to `wait` seconds; 202 while it is open */
        get: {
            parameters: {
                query: {
                    id: string;
                    wait?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskReply"];
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskReply"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Ask people a question, or for approval of a tool call; 202 while nobody has answered
         * @description For programs without an A2A task. The same `id` again waits for the same answer, after a restart of the program too; with another question it is refused with `run_conflict`. Ids are a space of each caller. `callback.url` is sent one POST `{type: "ask.ended", data: {id, holdId, status}}`, without the answer.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AskBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskReply"];
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskReply"];
                    };
                };
            };
        };
        /** Withdraw a question of this caller; one that was answered stays answered */
        delete: {
            parameters: {
                query: {
                    id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskReply"];
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AskReply"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{id}/artifacts/{artifactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An artifact as last known, as a file: text, or JSON */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    artifactId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file that the question showed, as its digest covers it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    fileId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/artifacts/{artifactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An artifact as it was when the question was asked, and as the question’s digest covers it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    artifactId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The inbox: questions this caller may see, newest first
         * @description `view`: forMe (what the caller may decide now, without their vote and claimed by nobody else; `asked` narrows it to what is asked by name or by a role alone), mine (asked of the caller by name, as owner, or claimed), team (their roles too), all, decided. `q`: words of the subject, text, values, agent and requester, by their names too. `policy`, `figure` and `days` narrow the list to what stands behind a number of `GET /api/figures`. `dueWithin` is in hours from now, and has what is overdue. `requester` and `endedBy` are parts of an id or a name; `end`, `endedFrom` and `endedTo` (before that moment) narrow what has ended. `totals` counts each view, whatever else was asked for. A draft is part of one hold alone, not of a list.
         */
        get: {
            parameters: {
                query?: {
                    status?: string | string[];
                    view?: string | string[];
                    kind?: string | string[];
                    asked?: string | string[];
                    q?: string;
                    sort?: string | string[];
                    policy?: string;
                    figure?: string | string[];
                    days?: number;
                    dueWithin?: number;
                    requester?: string;
                    endedBy?: string;
                    end?: string | string[];
                    endedFrom?: string;
                    endedTo?: string;
                    taskId?: string;
                    threadId?: string;
                    /** @description how the id begins: what people type is short */
                    id?: string;
                    agent?: string;
                    cursor?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["Hold"][];
                            nextCursor: string | null;
                            totals: components["schemas"]["InboxCounts"];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same list as lines, each with what a list shows of a question and no more
         * @description Takes what `GET /api/holds` takes. A line is what the events of `GET /api/inbox/events` tell.
         */
        get: {
            parameters: {
                query?: {
                    status?: string | string[];
                    view?: string | string[];
                    kind?: string | string[];
                    asked?: string | string[];
                    q?: string;
                    sort?: string | string[];
                    policy?: string;
                    figure?: string | string[];
                    days?: number;
                    dueWithin?: number;
                    requester?: string;
                    endedBy?: string;
                    end?: string | string[];
                    endedFrom?: string;
                    endedTo?: string;
                    taskId?: string;
                    threadId?: string;
                    /** @description how the id begins: what people type is short */
                    id?: string;
                    agent?: string;
                    cursor?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["HoldRow"][];
                            nextCursor: string | null;
                            totals: components["schemas"]["InboxCounts"];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One question, by hold id or interrupt id */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same list as a table for spreadsheets, at most 20,000 lines */
        get: {
            parameters: {
                query?: {
                    status?: string | string[];
                    view?: string | string[];
                    kind?: string | string[];
                    asked?: string | string[];
                    q?: string;
                    sort?: string | string[];
                    policy?: string;
                    figure?: string | string[];
                    days?: number;
                    dueWithin?: number;
                    requester?: string;
                    endedBy?: string;
                    end?: string | string[];
                    endedFrom?: string;
                    endedTo?: string;
                    taskId?: string;
                    threadId?: string;
                    /** @description how the id begins: what people type is short */
                    id?: string;
                    agent?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description text/csv */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that one works on a question
         * @description Somebody else’s claim stays, unless `takeOver` is true; the answer says who has it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        takeOver?: boolean;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release a question: one’s own claim, or as an operator any */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a decision, as long as it has not gone out
         * @description Where the policy of the question has a `grace`: by whoever gave the decision, operators, and those the question escalates to. The question is open again as it was, and the next decision of whoever gave this one goes out at once. Once it has gone out: `hold_closed`. The same again changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/vote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take back one’s own vote, as long as others are missing */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/precedents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller decided before of the questions of the same agent
         * @description From the caller’s own decisions alone, the last 50 of this agent’s. `reasons`: what they wrote with their last noes, latest first, each once.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Precedents"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/reassign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom a question could be passed on to: for who may do so
         * @description Users and roles of the configuration who could decide it, and agents that its policy lets decide. Others may be named all the same.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AudienceOptions"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Ask others instead: for who may decide now, and operators
         * @description The note is shown with the question and in the timeline of its task. To an agent only where the policy of the question asks it: handing over is no way around a policy.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReassignBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/reassign-ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for others to be asked: for who sees a question and may not decide it
         * @description Shown with the question to those asked and to operators, until one of them passes it on, and sent to them by their channels (`reassign-asked`). Once each: the same again changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        note?: string;
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the deadline of a question to a later time
         * @description For operators, and where the policy has `extend: asked` for who may decide the question. The same `until` again changes nothing; `by` counts from the present deadline, so it adds up when it is repeated.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExtendBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/amend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend or reassign many open questions at once, or cancel their tasks; for operators
         * @description Of what `GET /api/holds` finds with the same query those that are open, at most 1,000. Without `count` nothing is changed, and the reply says how many match; with a `count` that is not their number `count_changed` is returned, and nothing is changed. Each question is changed as if for itself, by the rules of its policy, and its record names the caller. To answer many: `POST /api/holds/decisions`.
         */
        post: {
            parameters: {
                query?: {
                    status?: string | string[];
                    view?: string | string[];
                    kind?: string | string[];
                    asked?: string | string[];
                    q?: string;
                    sort?: string | string[];
                    policy?: string;
                    figure?: string | string[];
                    days?: number;
                    dueWithin?: number;
                    requester?: string;
                    endedBy?: string;
                    end?: string | string[];
                    endedFrom?: string;
                    endedTo?: string;
                    taskId?: string;
                    threadId?: string;
                    /** @description how the id begins: what people type is short */
                    id?: string;
                    agent?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AmendManyBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AmendManyReply"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/nudge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the notice of a question sent again: for who waits for it and may not decide it
         * @description To those who may decide it now, by the channels of the question and their own (`nudged`). Once an hour for each question, whoever asks; sooner it is `rate_limited`, with the seconds in `retry-after`. It is in the timeline of the task.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments of those who may decide a question; the agent never gets them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Comments"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Say something to the others who may decide it
         * @description Kept with the question, also when the agent asks it again, and never sent to the agent. `@name` tells that person by their channels (`mentioned`), if they may decide it or are an operator.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommentBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Comments"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Be reminded of a question later: it leaves one’s own “For me” until then
         * @description One’s own alone: its deadline, its ladder and everybody else’s view stay as they are.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SnoozeBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        post?: never;
        /** See a question again at once */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hold"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Keep one’s unsent answer; empty values remove it */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DraftBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Draft"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take back the links by which a question could be decided */
        delete: {
            parameters: {
                query?: {
                    /** @description only those sent to this user */
                    user?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RevokedLinks"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a question; 200 once its workflow has it
         * @description The same decision again gets the same answer, so any request may be repeated; an Idempotency-Key is accepted and not needed. Where several must agree the hold stays open, with its votes, until enough have.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DecisionReply"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide several yes/no questions, each for itself
         * @description Confirmations and unedited tool calls alone, never authorisations, forms, or what a policy calls dangerous (`bulk_not_allowed`). At most 50; the results come in the order asked.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkReply"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/holds/{id}/signing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What your passkey is to sign for this answer: options for `navigator.credentials.get`
         * @description For a question whose `sign` is `passkey`. Decide with the same body and the assertion in `passkey`, within five minutes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionBody"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Signing"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The live inbox as SSE: hello, hold, gone, counts
         * @description `hello {now, build}` comes first, and again when something may have been missed: read list and open hold anew. `hold {id, version, row}`: one the caller may see was opened or changed. `gone {id, version}`: they may not see it any more. `counts`: at most once a second. A comment every 15 s.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How questions fare: now, by policy and by agent over the last days */
        get: {
            parameters: {
                query?: {
                    days?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Figures"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents with card, dialects, policies and health */
        get: {
            parameters: {
                query?: {
                    days?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["AgentDetail"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The policies: who would be asked now, and when their ladders would climb */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["PolicyDetail"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How questions fared over the last days, for pictures */
        get: {
            parameters: {
                query?: {
                    days?: number;
                    zone?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Overview"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Questions that people have answered as proposed every time, with the policy that would say so */
        get: {
            parameters: {
                query?: {
                    days?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["RecordRule"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Alive */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ready: questions can be read, drafted, asked and decided */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz/reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ready to show lists, questions and logs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz/writes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ready to keep what people write, decisions excepted */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ready for runs and decisions: Temporal and a worker are there */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Prometheus */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key that signs receipts and agent cards, as a JWK Set */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            keys: {
                                /** @enum {string} */
                                kty: "OKP";
                                /** @enum {string} */
                                crv: "Ed25519";
                                x: string;
                                kid: string;
                                /** @enum {string} */
                                alg: "EdDSA";
                                /** @enum {string} */
                                use: "sig";
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * MCP server (streamable HTTP): ask_user, approve_tool_call
         * @description JSON-RPC 2.0 as in the Model Context Protocol; answers are JSON or an event stream.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{agent}/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Push notifications of an agent, with the token it was given: the task is polled soon */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type webhooks = Record<string, never>;
export type components = {
    schemas: {
        Agent: {
            name: string;
            title: string;
            description: string;
            examples: string[];
            cardSeenAt: string | null;
            capabilities: components["schemas"]["AgentCapabilities"];
        };
        AgentCapabilities: {
            [key: string]: unknown;
        };
        AgentDetail: {
            name: string;
            title: string;
            description: string;
            url: string;
            /** @enum {string} */
            state: "ok" | "failing" | "unread";
            cardSeenAt: string | null;
            version: string;
            provider: string;
            interfaces: string[];
            streaming: boolean;
            pushNotifications: boolean;
            extensions: string[];
            inputModes: string[];
            outputModes: string[];
            dialects: string[];
            skills: {
                name: string;
                description: string;
                tags: string[];
                examples: string[];
            }[];
            policy: string | null;
            rules: {
                when: {
                    /** @enum {string} */
                    kind?: "form" | "confirmation" | "tool_call" | "authorization" | "text";
                    dialect?: string;
                    title?: string;
                    data?: string | string[];
                };
                policy: string;
            }[];
            tasks: {
                open: number;
                done: number;
                failed: number;
                cancelled: number;
            };
            questions: {
                open: number;
                asked: number;
            };
            lastTask: {
                id: string;
                at: string;
                status: string;
            } | null;
            lastFailure: {
                id: string;
                at: string;
                code: string;
                message: string;
            } | null;
        };
        AmendManyBody: {
            /** @constant */
            do: "extend";
            /**
             * Format: date-time
             * @description the new deadline
             */
            until?: string;
            /** @description how long after the present deadline */
            by?: string;
            note?: string;
            /** @description how many questions match; missing: nothing is changed, and the reply says how many */
            count?: number;
        } | {
            /** @constant */
            do: "reassign";
            to: string[];
            note?: string;
            /** @description how many questions match; missing: nothing is changed, and the reply says how many */
            count?: number;
        } | {
            /** @constant */
            do: "cancel";
            /** @description how many questions match; missing: nothing is changed, and the reply says how many */
            count?: number;
        };
        AmendManyReply: {
            count: number;
            applied: boolean;
            results: {
                id: string;
                taskId: string;
                ok: boolean;
                code: string | null;
                detail: string | null;
            }[];
        };
        AskBody: {
            id?: string;
            title?: string;
            message?: string;
            schema?: {
                [key: string]: unknown;
            };
            defaults?: {
                [key: string]: unknown;
            };
            tool?: {
                name: string;
                /** @default {} */
                args: {
                    [key: string]: unknown;
                };
                /** @default false */
                editable: boolean;
            };
            policy?: string;
            /** @default 0 */
            wait: number;
            callback?: {
                url: string;
            };
        };
        AskReply: {
            id: string;
            /** @enum {string} */
            status: "waiting" | "answered" | "declined" | "expired" | "withdrawn" | "cancelled";
            holdId: string | null;
            link: string | null;
            values: {
                [key: string]: unknown;
            } | null;
            approved: boolean | null;
            args: {
                [key: string]: unknown;
            } | null;
            by: string | null;
            reason: string | null;
            assumed: boolean;
            receipt?: string;
        };
        AudienceOptions: {
            items: {
                /** @description as `to` takes it */
                entry: string;
                /** @description of a user, where the configuration has one */
                name: string | null;
            }[];
        };
        BulkBody: {
            decisions: {
                id: string;
                /** @enum {string} */
                status: "resolved" | "cancelled";
                values?: {
                    [key: string]: unknown;
                };
                reason?: string;
                digest: string;
            }[];
        };
        BulkReply: {
            results: {
                id: string;
                ok: boolean;
                status: ("open" | "decided" | "cancelled" | "expired" | "withdrawn") | null;
                votes: {
                    have: number;
                    need: number;
                } | null;
                code: string | null;
                detail: string | null;
            }[];
        };
        Chat: {
            items: components["schemas"]["ChatMessage"][];
            /**
             * @description agent: with what the agent tells of the task now. stored: as kept here alone, because there is no task at the agent, or the agent cannot be reached, is slow, refuses, or shows no history.
             * @enum {string}
             */
            source: "agent" | "stored";
        };
        ChatBody: {
            text?: string;
            message?: string;
            /** Format: uuid */
            messageId?: string;
        };
        ChatMessage: {
            id: string;
            /** @enum {string} */
            role: "agent" | "user" | "person" | "system";
            by: string | null;
            at: string | null;
            text: string;
            files: {
                name: string;
                mediaType: string;
                url: string | null;
            }[];
            holdId: string | null;
            end?: {
                by: string;
                /** @enum {string} */
                why: "decided" | "declined" | "expired" | "withdrawn" | "superseded" | "cancelled";
                saidNo: string | null;
            };
        };
        ChatReply: {
            messageId: string;
            /** @enum {string} */
            as: "decided" | "asked" | "injected" | "follow-up";
            taskId: string;
        };
        CommentBody: {
            text: string;
        };
        Comments: {
            items: {
                id: number;
                at: string;
                by: string;
                text: string;
                mentions: string[];
            }[];
            people: string[];
        };
        DecisionBody: {
            /** @constant */
            status: "resolved";
            values: {
                [key: string]: unknown;
            };
            digest?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        } | {
            /** @constant */
            status: "cancelled";
            reason?: string;
            digest?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        DecisionReply: {
            hold: components["schemas"]["Hold"];
            task: components["schemas"]["Task"];
        };
        Draft: {
            values: {
                [key: string]: unknown;
            };
            savedAt: string;
        };
        DraftBody: {
            values: {
                [key: string]: unknown;
            };
        };
        ExtendBody: {
            /**
             * Format: date-time
             * @description the new deadline
             */
            until?: string;
            /** @description how long after the present deadline */
            by?: string;
            note?: string;
        };
        Figures: {
            days: number;
            now: {
                open: number;
                overdue: number;
                unclaimed: number;
                expiringWithinHour: number;
                reassignAsked: number;
            };
            policies: {
                policy: string;
                count: number;
                open: number;
                decided: number;
                expired: number;
                escalated: number;
                rejected: number;
                decisionMs: {
                    p50: number;
                    p90: number;
                    p99: number;
                } | null;
            }[];
            agents: {
                agent: string;
                tasks: number;
                asks: number;
                approvals: number;
                approvedUnchanged: number;
            }[];
        };
        Hold: {
            id: string;
            interruptId: string;
            taskId: string;
            agent: string;
            threadId: string;
            /** @enum {string} */
            kind: "form" | "confirmation" | "tool_call" | "authorization" | "text" | "operator";
            title: string;
            lead: string | null;
            subject: string;
            values: {
                name: string;
                value: string | number | boolean;
            }[];
            changed: boolean;
            about: string | null;
            decides: {
                field: string;
                yes: boolean | string;
                no: boolean | string;
            } | null;
            requiredLeft: number;
            saidNo: string | null;
            message: string;
            schema: {
                [key: string]: unknown;
            };
            defaults: {
                [key: string]: unknown;
            };
            context: {
                conversation: string;
                artifacts: {
                    id: string;
                    name: string;
                    url: string;
                    digest: string | null;
                }[];
                toolArgs: {
                    [key: string]: unknown;
                };
                data: {
                    id: string;
                    name: string;
                    digest: string;
                    data: unknown;
                }[];
                files: {
                    id: string;
                    /** @enum {string} */
                    source: "question" | "artifact";
                    name: string;
                    mediaType: string;
                    size: number | null;
                    url: string | null;
                    uri: string | null;
                    digest: string | null;
                    omitted: ("too_large" | "unavailable" | "elsewhere" | "link") | null;
                }[];
                dialectDigest: string;
            };
            supersedes: string | null;
            asking: boolean;
            votes: {
                have: number;
                need: number;
                by: {
                    by: string;
                    at: string;
                    values: {
                        [key: string]: unknown;
                    } | null;
                }[];
            };
            /** @enum {string} */
            status: "open" | "decided" | "cancelled" | "expired" | "withdrawn";
            audience: string[];
            exclude: "requester"[];
            openedAt: string;
            expiresAt: string | null;
            dueAt: string | null;
            nextStep: {
                at: string;
                /** @enum {string} */
                do: "remind" | "escalate" | "expire";
                to: string[];
            } | null;
            digest: string;
            /** @enum {string} */
            fault?: "unreadable" | "altered";
            mayDecide: boolean;
            forMe: boolean;
            snoozedUntil: string | null;
            mayDiscuss: boolean;
            policy: string;
            requester: string;
            alsoRequesters: string[];
            /** @enum {string} */
            reassign: "within" | "anyone" | "nobody";
            claim: {
                by: string;
                at: string;
            } | null;
            reassignAsks: {
                by: string;
                at: string;
                note: string | null;
            }[];
            mayNudge: boolean;
            nudges: {
                at: string;
                by: string;
            }[];
            pause: {
                index: number;
                count: number;
                holdIds: string[];
            };
            ladder: {
                at: string;
                /** @enum {string} */
                do: "remind" | "escalate" | "expire";
                to: string[];
                replace: boolean;
                doneAt: string | null;
            }[];
            supervisors: {
                agent: string;
                at: string;
                until: string;
                doneAt: string | null;
                why: string | null;
            }[];
            moves: {
                at: string;
                by: string;
                to: string[];
                note: string | null;
            }[];
            mayExtend: boolean;
            extensions: {
                at: string;
                by: string;
                from: string;
                until: string;
                note: string | null;
            }[];
            expires: {
                at: string | null;
                /** @enum {string} */
                then: "fail" | "cancel" | "reject" | "default" | "keep-open";
                /** @enum {string} */
                clock: "wall" | "business";
            };
            /** @enum {string} */
            onReject: "told" | "cancels";
            supersededBy: string | null;
            ended: {
                by: string;
                at: string;
                /** @enum {string} */
                why: "decided" | "declined" | "expired" | "withdrawn" | "superseded" | "cancelled";
            } | null;
            goesOut: {
                at: string;
                by: string;
                decidedAt: string;
                /** @enum {string} */
                status: "resolved" | "cancelled";
                values: {
                    [key: string]: unknown;
                };
                reason: string | null;
                isNo: boolean;
                mayUndo: boolean;
            } | null;
            secretPaths: string[];
            draft: {
                values: {
                    [key: string]: unknown;
                };
                savedAt: string;
            } | null;
            danger: boolean;
            requireDigest: boolean;
            /** @constant */
            sign?: "passkey";
            graceMs: number | null;
            links: {
                url: string;
                title: string;
            }[];
            errors: {
                [key: string]: string;
            };
            tool: {
                callId: string;
                name: string;
                isEditable: boolean;
            } | null;
            dialect: string;
            version: number;
            decision: {
                by: string;
                at: string;
                /** @enum {string} */
                status: "resolved" | "cancelled";
                values: {
                    [key: string]: unknown;
                };
                reason: string | null;
                /** @enum {string} */
                door: "resume" | "rest" | "page" | "bulk" | "chat" | "link" | "slack" | "teams" | "push" | "signal" | "agent" | "mcp" | "clock";
                digest: string;
                seenDigest: string | null;
                credential: string | null;
                actor: string | null;
                passkey?: string;
            } | null;
        };
        HoldRow: {
            id: string;
            interruptId: string;
            taskId: string;
            agent: string;
            threadId: string;
            /** @enum {string} */
            kind: "form" | "confirmation" | "tool_call" | "authorization" | "text" | "operator";
            title: string;
            lead: string | null;
            /** @enum {string} */
            status: "open" | "decided" | "cancelled" | "expired" | "withdrawn";
            openedAt: string;
            expiresAt: string | null;
            dueAt: string | null;
            mayDecide: boolean;
            requester: string;
            policy: string;
            claim: {
                by: string;
                at: string;
            } | null;
            ended: {
                by: string;
                at: string;
                /** @enum {string} */
                why: "decided" | "declined" | "expired" | "withdrawn" | "superseded" | "cancelled";
            } | null;
            danger: boolean;
            digest: string;
            /** @enum {string} */
            fault?: "unreadable" | "altered";
            version: number;
            supersededBy: string | null;
            reassignAsks: {
                by: string;
                at: string;
                note: string | null;
            }[];
            subject: string;
            values: {
                name: string;
                value: string | number | boolean;
            }[];
            changed: boolean;
            about: string | null;
            requiredLeft: number;
            saidNo: string | null;
            forMe: boolean;
            snoozedUntil: string | null;
            goesOut: {
                at: string;
                by: string;
                /** @enum {string} */
                status: "resolved" | "cancelled";
                isNo: boolean;
                mayUndo: boolean;
            } | null;
            votes: {
                have: number;
                need: number;
            };
            nextStep: {
                at: string;
                /** @enum {string} */
                do: "remind" | "escalate" | "expire";
                to: string[];
            } | null;
            escalations: number;
            decidedStatus: ("resolved" | "cancelled") | null;
            decidedBy: string | null;
            decides?: {
                field: string;
                yes: boolean | string;
                no: boolean | string;
            };
        };
        InboxCounts: {
            forMe: number;
            mine: number;
            team: number;
            all: number;
            /** @description Ended ones are counted up to this and no further. */
            decided: number;
        };
        LoginBody: {
            key: string;
        };
        LoginMethods: {
            keys: boolean;
            oidc: {
                title: string;
                url: string;
            } | null;
        };
        Me: {
            id: string;
            name: string;
            roles: string[];
            isOperator: boolean;
            names: {
                [key: string]: string;
            };
            agents: {
                name: string;
                title: string;
            }[];
            policies: string[];
            /** @enum {string} */
            via: "none" | "key" | "session";
            temporalUrl: string | null;
            sessionEndsAt: string | null;
        };
        NewPasskey: {
            name: string;
            registration: components["schemas"]["PasskeyRegistration"];
            vouching?: components["schemas"]["PasskeyAssertion"];
        };
        Overview: {
            days: number;
            zone: string;
            now: {
                open: number;
                overdue: number;
                unclaimed: number;
                expiringWithinHour: number;
                reassignAsked: number;
                oldestAt: string | null;
            };
            window: {
                asked: number;
                approved: number;
                refused: number;
                expired: number;
                other: number;
                medianMs: number | null;
            };
            before: {
                asked: number;
                approved: number;
                refused: number;
                expired: number;
                other: number;
                medianMs: number | null;
            };
            volume: {
                day: string;
                approved: number;
                refused: number;
                expired: number;
                other: number;
            }[];
            hours: {
                weekday: number;
                hour: number;
                asked: number;
                answered: number;
            }[];
            policies: {
                policy: string;
                asked: number;
                decided: number;
                expired: number;
                p50: number | null;
                p90: number | null;
                limitMs: number | null;
            }[];
            deciders: {
                by: string;
                approved: number;
                refused: number;
                medianMs: number | null;
            }[];
            funnel: {
                asked: number;
                reminded: number;
                escalated: number;
                expired: number;
            };
        };
        OwnPasskeys: {
            items: components["schemas"]["Passkey"][];
            isPossible: boolean;
        };
        Passkey: {
            id: string;
            name: string;
            since: string;
            lastUsedAt: string | null;
        };
        PasskeyAssertion: {
            id: string;
            response: {
                clientDataJSON: string;
                authenticatorData: string;
                signature: string;
            };
        };
        PasskeyOfAnybody: {
            id: string;
            name: string;
            since: string;
            lastUsedAt: string | null;
            user: string;
            publicKey: string;
            revocationAskedBy: string | null;
        };
        PasskeyOptions: {
            creation: {
                [key: string]: unknown;
            };
            vouching: {
                [key: string]: unknown;
            } | null;
        };
        PasskeyRegistration: {
            id: string;
            response: {
                clientDataJSON: string;
                attestationObject: string;
                transports?: string[];
            };
        };
        PasskeyRevocation: {
            user: string;
            id: string;
        };
        Passkeys: {
            items: components["schemas"]["PasskeyOfAnybody"][];
        };
        PolicyDetail: {
            name: string;
            isBuiltIn: boolean;
            audience: {
                entry: string;
                people: {
                    id: string;
                    standsInFor: string | null;
                    isAway: boolean;
                }[];
            }[];
            excludesRequester: boolean;
            quorum: number;
            danger: boolean;
            notify: string[];
            ladder: {
                after: string;
                atMs: number;
                /** @enum {string} */
                do: "remind" | "escalate";
                to: {
                    entry: string;
                    people: {
                        id: string;
                        standsInFor: string | null;
                        isAway: boolean;
                    }[];
                }[];
                replace: boolean;
                every: string | null;
            }[];
            expire: {
                after: string;
                atMs: number;
                /** @enum {string} */
                then: "fail" | "cancel" | "reject" | "default" | "keep-open";
                /** @enum {string} */
                clock: "wall" | "business";
            };
            calendar: {
                zone: string;
                hours: string;
                holidays: string | null;
                isOpen: boolean;
                changesAt: string | null;
            } | null;
            usedBy: {
                agent: string;
                when: {
                    /** @enum {string} */
                    kind?: "form" | "confirmation" | "tool_call" | "authorization" | "text";
                    dialect?: string;
                    title?: string;
                    data?: string | string[];
                } | null;
            }[];
            open: number;
        };
        Precedents: {
            reasons: string[];
        };
        Preferences: {
            events?: ("opened" | "reminder" | "escalation" | "reassigned" | "reassign-asked" | "mentioned" | "nudged" | "extended" | "decided" | "expired" | "superseded")[];
            hours?: {
                zone: string;
                hours: string;
                holidays?: string;
            };
            digest?: "off" | {
                zone: string;
                at: string[];
                days?: string;
            };
            away?: {
                /** Format: date-time */
                from?: string;
                /** Format: date-time */
                until: string;
                delegate: string;
            };
        };
        PreferencesInput: {
            events?: ("opened" | "reminder" | "escalation" | "reassigned" | "reassign-asked" | "mentioned" | "nudged" | "extended" | "decided" | "expired" | "superseded")[];
            hours?: {
                zone: string;
                hours: string;
                holidays?: string;
            };
            digest?: "off" | {
                zone: string;
                at: string[];
                days?: string;
            };
            away?: {
                /** Format: date-time */
                from?: string;
                /** Format: date-time */
                until: string;
                delegate: string;
            };
        };
        Push: {
            publicKey: string | null;
            devices: components["schemas"]["PushDevice"][];
        };
        PushDecisionBody: {
            /** @enum {string} */
            choice: "yes" | "no";
            digest: string;
        };
        PushDevice: {
            id: string;
            label: string;
            since: string;
        };
        PushDeviceBody: {
            subscription: components["schemas"]["PushSubscription"];
            /** @default  */
            label: string;
        };
        PushSubscription: {
            /** Format: uri */
            endpoint: string;
            keys: {
                p256dh: string;
                auth: string;
            };
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            reads: boolean;
            writes: boolean;
            runs: boolean;
            parts: {
                /** @enum {string} */
                database: "ok" | "unavailable" | "unknown";
                /** @enum {string} */
                disk: "ok" | "unavailable" | "unknown";
                /** @enum {string} */
                keys: "ok" | "unavailable" | "unknown";
                /** @enum {string} */
                temporal: "ok" | "unavailable" | "unknown";
                /** @enum {string} */
                workers: "ok" | "unavailable" | "unknown";
            };
        };
        ReassignBody: {
            to: string[];
            note?: string;
        };
        RecordRule: {
            agent: string;
            /** @enum {string} */
            kind: "form" | "confirmation" | "tool_call";
            title: string;
            times: number;
            since: string;
            yaml: string;
            /** @enum {string} */
            way: "defaults" | "agent";
            replay: {
                days: number;
                asked: number;
                sooner: number;
                spared: number;
                waitedMs: number;
            };
        };
        RevokedLinks: {
            revoked: number;
        };
        RevokedPasskey: {
            isRevoked: boolean;
            askedBy: string;
        };
        RunAgentInput: {
            threadId: string;
            runId: string;
            messages: {
                [key: string]: unknown;
            }[];
            state?: unknown;
            tools?: unknown[];
            context?: unknown[];
            forwardedProps?: unknown;
            resume?: {
                [key: string]: unknown;
            }[];
            protocolVersion?: string;
        } & {
            [key: string]: unknown;
        };
        Signing: {
            options: {
                [key: string]: unknown;
            };
        };
        SnoozeBody: {
            /** Format: date-time */
            until: string;
        };
        Task: {
            id: string;
            agent: string;
            threadId: string;
            a2aTaskId: string | null;
            contextId: string | null;
            /** @enum {string} */
            status: "NEW" | "IN_PROGRESS" | "NEEDS_REVIEW" | "USER_INPUT_RECEIVED" | "DONE" | "FAILED" | "CANCELED";
            error: {
                code: string;
                message: string;
            } | null;
            holds: string[];
            createdAt: string;
            updatedAt: string;
            workflowId: string;
            temporalUrl: string | null;
            title: string;
            owner: string;
            restartOf: string | null;
            restartedAs: string | null;
            stuck: {
                /** @enum {string} */
                cause: "agent_away" | "workflow_failing";
                since: string;
                why: string;
            } | null;
            stale?: boolean;
            waiting?: {
                holdId: string;
                subject: string;
                audience: string[];
                claimedBy: string | null;
                openedAt: string;
                expiresAt: string | null;
            }[];
            artifacts?: {
                id: string;
                name: string;
                url: string;
            }[];
        };
        TimelineEntry: {
            at: string;
            /** @enum {string} */
            what: "status" | "hold.opened" | "hold.step" | "hold.moved" | "hold.extended" | "hold.nudged" | "hold.ended" | "vote" | "restarted";
            word: string;
            to: string[];
            note: string | null;
            by: string | null;
            holdId: string | null;
            title: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
};
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
