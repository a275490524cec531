// A list in managed memory that host and kernel both follow, made by a class's own new.
#include <cstdio>

struct Managed {
    void *operator new(size_t bytes)
    {
        void *p;
        cudaMallocManaged(&p, bytes);
        cudaDeviceSynchronize();
        return p;
    }
    void operator delete(void *p)
    {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};
struct Node : Managed {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n) {}
};

__global__ void square(Node *n)
{
    for (; n; n = n->next) n->value *= n->value;
}
__global__ void relink(Node *first, Node *last) { last->next = first; }

int main()
{
    Node *list = nullptr, *last = nullptr;
    for (int i = 6; i > 0; i--) {
        list = new Node(i, list);
        if (!last) last = list;
    }
    square<<<1, 1>>>(list);
    cudaDeviceSynchronize();
    for (Node *n = list; n; n = n->next) printf("%d ", n->value);
    relink<<<1, 1>>>(list, last);
    cudaDeviceSynchronize();
    printf("and again %d\n", last->next->value);
    last->next = nullptr;
    while (list) {
        Node *next = list->next;
        delete list;
        list = next;
    }
}
