// SPDX-License-Identifier: MIT
/*  Call.cs - calls the library from C# and checks what it gives. float[] has the layout of C, so the runtime holds
    it where it is while the call lasts, and copies nothing.

    Build   mcs Call.cs                                          (Mono; .NET takes the file as it is)
    Run     LD_LIBRARY_PATH=. mono Call.exe
    See     how many checks, and on what; then OK.                                                         */
using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

static class Native
{
    const string Library = "fields"; // libfields.so, fields.dll
    const CallingConvention C = CallingConvention.Cdecl;

    [DllImport(Library, CallingConvention = C)] public static extern IntPtr fields_error();
    [DllImport(Library, CallingConvention = C)] public static extern IntPtr fields_device();
    [DllImport(Library, CallingConvention = C)]
    public static extern int fields_saxpy(long count, float a, [In] float[] x, [In, Out] float[] y);
    [DllImport(Library, CallingConvention = C)] public static extern int fields_sort(long count, [In, Out] float[] values);
    [DllImport(Library, CallingConvention = C)]
    public static extern FieldHandle fields_create(int rows, int cols, [In] float[] values);
    [DllImport(Library, CallingConvention = C)] public static extern int fields_blur(FieldHandle field, int times);
    [DllImport(Library, CallingConvention = C)]
    public static extern int fields_read(FieldHandle field, long count, [In, Out] float[] values);
    [DllImport(Library, CallingConvention = C)] public static extern void fields_release(IntPtr field);
}

/* Released once, whatever is thrown; held while a call has it. */
sealed class FieldHandle : SafeHandle
{
    FieldHandle() : base(IntPtr.Zero, true) { }
    public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
    protected override bool ReleaseHandle() { Native.fields_release(handle); return true; }
}

sealed class FieldsException : Exception
{
    public FieldsException(string message) : base(message) { }
}

static class Fields
{
    static string Text(IntPtr text) { return Marshal.PtrToStringAnsi(text); }

    /* The text belongs to the thread that failed: it is read at once. */
    public static void Check(int status)
    {
        if (status != 0) throw new FieldsException(Text(Native.fields_error()));
    }

    public static string Device { get { return Text(Native.fields_device()); } }

    public static void Saxpy(float a, float[] x, float[] y)
    {
        if (x.Length != y.Length) throw new ArgumentException("x and y have different lengths");
        Check(Native.fields_saxpy(x.LongLength, a, x, y));
    }

    public static void Sort(float[] values) { Check(Native.fields_sort(values.LongLength, values)); }
}

sealed class Field : IDisposable
{
    readonly FieldHandle handle;

    public Field(int rows, int cols, float[] values)
    {
        if (values.LongLength != (long)rows * cols) throw new ArgumentException("rows * cols is not the array's length");
        handle = Native.fields_create(rows, cols, values);
        if (handle.IsInvalid) Fields.Check(1);
    }

    public void Blur(int times) { Fields.Check(Native.fields_blur(handle, times)); }
    public void Read(float[] into) { Fields.Check(Native.fields_read(handle, into.LongLength, into)); }
    public void Dispose() { handle.Dispose(); }
}

static class Call
{
    static int right, wrong;

    static void Expect(bool good, string what)
    {
        if (good) right++; else wrong++;
        if (!good) Console.WriteLine("wrong: " + what);
    }

    static string Thrown(Action action)
    {
        try { action(); } catch (FieldsException error) { return error.Message; }
        return "";
    }

    static float[] Scrambled(int count, int seed)
    {
        return Enumerable.Range(0, count).Select(i => (float)((i * 7919L + seed) % 10007)).ToArray();
    }

    static bool SortsRight(int seed)
    {
        float[] values = Scrambled(2000, seed), expected = Scrambled(2000, seed);
        Fields.Sort(values);
        Array.Sort(expected);
        return values.SequenceEqual(expected);
    }

    static void TryThreads()
    {
        int good = 0;
        var threads = Enumerable.Range(0, 4).Select(seed =>
            new Thread(() => { if (SortsRight(seed)) Interlocked.Increment(ref good); })).ToArray();
        foreach (var thread in threads) thread.Start();
        foreach (var thread in threads) thread.Join();
        Expect(good == 4, "threads");
    }

    static void TryField()
    {
        float[] spot = new float[25], result = new float[25];
        spot[12] = 25;
        using (var field = new Field(5, 5, spot)) {
            field.Blur(2);
            field.Read(result);
            Expect(Thrown(() => field.Read(new float[7])).Contains("place for 7"), "an error has its text");
        }
        Expect(Math.Abs(result[12] - 5) < 1e-5 && Math.Abs(result[6] - 2) < 1e-5 && Math.Abs(result[2] - 1) < 1e-5
               && result[0] == 0, "a field");
        Expect(Thrown(() => { using (new Field(0, 5, new float[0])) { } }).Contains("0 rows"), "a field of nothing");
    }

    static int Main()
    {
        const int n = 5000;
        float[] x = Enumerable.Range(0, n).Select(i => (float)i).ToArray(), y = Enumerable.Repeat(1f, n).ToArray();
        Fields.Saxpy(2, x, y);
        Expect(y.Select((value, i) => value == 2f * i + 1).All(good => good), "y += 2 x");
        Expect(Thrown(() => Fields.Saxpy(1, y, y)).Contains("overlap"), "arrays that overlap");
        Expect(SortsRight(7), "a sort");
        TryField();
        TryThreads();
        Console.WriteLine("C#, runtime {0}: {1} checks on {2}", Environment.Version, right + wrong, Fields.Device);
        if (wrong == 0) Console.WriteLine("OK");
        return wrong;
    }
}
